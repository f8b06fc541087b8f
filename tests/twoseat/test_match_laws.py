"""The ten laws of the match machine (ARCHITECTURE.md), each by its number, in exact game times."""

from script import Script


def test_law_8_a_late_death_of_an_old_socket_changes_nothing() -> None:
    play = Script().seated()
    old = play.chair(0).connection
    play.connect(0)
    before = play.match
    from twoseat.inputs import Disconnect

    assert play.give(Disconnect(0, old)) is before
    assert play.disconnect(0).chairs[0].present is False
