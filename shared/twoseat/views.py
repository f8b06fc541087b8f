"""What a match looks like on the wire: pure functions from a stored match and game time to messages, hiding what must
be hidden.
"""

from typing import Any, Literal

from msgspec.structs import replace

from twoseat import wire
from twoseat.chair import Chair, Millis
from twoseat.games.game import SEATS, Game, Options, Seat
from twoseat.match import Match
from twoseat.series import Series
from twoseat.shake import seed_digest


def options(chosen: Options) -> wire.OptionsView:
    """Return the options as agreed."""
    shown: dict[str, Any] = {name: getattr(chosen, name) for name in wire.OptionsView.__struct_fields__}
    return wire.OptionsView(**shown)


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
        rounds=_history(game, match, faces=match.outcome is not None),
    )


def fair(match: Match, now: Millis | None) -> wire.Fair:
    """Return what was said before the deal."""
    shake = match.shake
    return wire.Fair(
        match=match.id,
        stage=shake.stage,
        seed_digest=seed_digest(match.seed),
        digests=(shake.digests[0] or None, shake.digests[1] or None),
        nonces=(shake.nonces[0] or None, shake.nonces[1] or None),
        left=_left(shake.until, now),
    )


def rounds(game: Game[Any], match: Match) -> int:
    """Return the number of finished rounds, none before the deal."""
    return 0 if match.state is None else game.rounds(match.state)


def _history(game: Game[Any], match: Match, *, faces: bool) -> list[Any]:
    return [] if match.state is None else game.history(match.state, 0, faces=faces)


def state(game: Game[Any], match: Match, now: Millis | None, seat: Seat | None, since: int) -> wire.State:
    """Return the newest state for `seat`, with rounds from index `since` on; `now` None shows clocks stopped."""
    first, second = match.chairs
    over = match.outcome is not None
    dealt = match.state is not None
    playing = dealt and not over and match.pause is None
    return wire.State(
        version=match.version,
        phase=_phase(match),
        chairs=(_chair(first, now if playing else None), _chair(second, now if playing else None)),
        legal=(_legal(game, match, 0, seat), _legal(game, match, 1, seat)) if playing else ((), ()),
        view=game.view(match.state, seat, over=over) if dealt else game.before_deal(match.options, match.solo),
        rounds=game.history(match.state, since, faces=False) if dealt else [],
        outcome=match.outcome,
        next_in=_left(match.next_at, now) if over and not match.next else None,
    )


def results(game: Game[Any], match: Match) -> wire.Results | None:
    """Return everything about a finished game, None while it runs."""
    if match.outcome is None:
        return None
    after = match.series.after(match.outcome)
    shown = replace(series(after), game=match.series.games + 1)
    return wire.Results(
        match=match.id,
        outcome=match.outcome,
        rounds=_history(game, match, faces=True),
        series=shown,
        decided=after.decided,
        seed=match.seed.hex(),
    )


def seat_of(match: Match, player: str) -> Seat | None:
    """Return the seat that belongs to this player."""
    return next((seat for seat in SEATS if match.chairs[seat].player == player), None)


def _legal(game: Game[Any], match: Match, of: Seat, seat: Seat | None) -> tuple[str, ...]:
    """Where a game has secrets, open moves tell of them, as the cards one may trade do."""
    return game.legal(match.state, of) if game.shared_view or of == seat else ()


def _phase(match: Match) -> Literal["waiting", "playing", "paused", "over"]:
    if match.outcome is not None:
        return "over"
    if match.pause is None and match.state is not None:
        return "playing"
    return "waiting" if match.state is None or not match.started else "paused"


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
