"""What a match looks like on the wire: pure functions from a stored match and game time to messages, hiding what must
be hidden.
"""

from dataclasses import replace
from typing import Any, Literal

from twoseat import wire
from twoseat.chair import Chair, Millis
from twoseat.games.game import SEATS, Game, Options, Seat
from twoseat.match import Match
from twoseat.series import Series


def options(chosen: Options) -> wire.OptionsView:
    """Return the options as agreed."""
    return wire.OptionsView("war", chosen.preset, chosen.target, chosen.turn_seconds, chosen.timer, chosen.games)


def series(games: Series) -> wire.SeriesView:
    """Return the games before the present one."""
    return wire.SeriesView(games.best_of, games.games + 1, games.score, games.winners)


def seated(game: Game[Any], match: Match, seat: Seat | None) -> wire.Seated:
    """Return the lasting facts of a match and all its finished rounds."""
    first, second = match.chairs
    return wire.Seated(
        match=match.id,
        code=match.code,
        seat=seat,
        names=(first.name, second.name),
        bots=(first.player is None, second.player is None),
        options=options(match.options),
        series=series(match.series),
        rounds=game.history(match.state, 0, faces=match.outcome is not None),
    )


def state(game: Game[Any], match: Match, now: Millis | None, seat: Seat | None, since: int) -> wire.State:
    """Return the newest state for `seat`, with rounds from index `since` on; `now` None shows clocks stopped."""
    first, second = match.chairs
    over = match.outcome is not None
    playing = not over and match.pause is None
    return wire.State(
        version=match.version,
        phase=_phase(match),
        chairs=(_chair(first, now if playing else None), _chair(second, now if playing else None)),
        legal=(game.legal(match.state, 0), game.legal(match.state, 1)) if playing else ((), ()),
        view=game.view(match.state, seat),
        rounds=game.history(match.state, since, faces=False),
        outcome=match.outcome,
        next_in=_left(match.next_at, now) if over and not match.next else None,
    )


def results(game: Game[Any], match: Match) -> wire.Results | None:
    """Return everything about a finished game, None while it runs."""
    if match.outcome is None:
        return None
    after = match.series.after(match.outcome)
    shown = replace(series(after), game=match.series.games + 1)
    return wire.Results(match.id, match.outcome, game.history(match.state, 0, faces=True), shown, after.decided)


def seat_of(match: Match, player: str) -> Seat | None:
    """Return the seat that belongs to this player."""
    return next((seat for seat in SEATS if match.chairs[seat].player == player), None)


def _phase(match: Match) -> Literal["waiting", "playing", "paused", "over"]:
    if match.outcome is not None:
        return "over"
    if match.pause is None:
        return "playing"
    return "paused" if match.started else "waiting"


def _chair(chair: Chair, now: Millis | None) -> wire.ChairView:
    return wire.ChairView(
        present=chair.present,
        driver=chair.driver,
        back=chair.back,
        due=_left(chair.due, now),
        number=chair.number,
        last=chair.last_id,
        rematch=chair.rematch,
    )


def _left(moment: Millis | None, now: Millis | None) -> int | None:
    return None if moment is None or now is None else max(0, moment - now)
