"""A replay as a row of frames one can walk along in both directions; pure, and the same model as at a live table."""

from bisect import bisect_left
from dataclasses import dataclass

from twoseat import __version__, wire
from twoseat.replay import Replay, messages
from twoseat_client.events import Event
from twoseat_client.facts import Millis
from twoseat_client.model import Model, fold

LONGEST: Millis = 2_000
"""A wait at the table is shortened to this much."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What was to be seen after one thing happened, `done` finished rounds into the game. `at` is the game's time."""

    at: Millis
    model: Model
    events: tuple[Event, ...]
    done: int


@dataclass(frozen=True, slots=True)
class Playback:
    """A whole game, and a place in it."""

    frames: tuple[Frame, ...]
    place: int = 0

    @property
    def frame(self) -> Frame:
        """The frame at this place."""
        return self.frames[self.place]

    @property
    def rounds(self) -> int:
        """The rounds of the whole game."""
        return self.frames[-1].done

    @property
    def over(self) -> bool:
        """Whether this is the last frame."""
        return self.place == len(self.frames) - 1

    @property
    def wait(self) -> Millis:
        """How long this frame was there, long waits shortened; 0 for the last one."""
        if self.over:
            return 0
        return max(0, min(LONGEST, self.frames[self.place + 1].at - self.frame.at))

    def step(self, by: int) -> "Playback":
        """Return this many frames on, or back where negative."""
        return Playback(self.frames, min(max(0, self.place + by), len(self.frames) - 1))

    def round(self, by: int) -> "Playback":
        """Return the frame in which the round that many rounds on, or back, has just ended; past them, start or end."""
        wanted = self.frame.done + by
        if by < 0 and self.place > self._end_of(self.frame.done):
            wanted += 1  # in the middle of a round, back is to its beginning
        if wanted > self.rounds:
            return Playback(self.frames, len(self.frames) - 1)
        return Playback(self.frames, self._end_of(max(0, wanted)))

    def _end_of(self, number: int) -> int:
        return bisect_left(self.frames, number, key=lambda frame: frame.done)


def playback(replay: Replay) -> Playback:
    """Return a replay at its beginning. Raises BadReplay."""
    model, _ = fold(Model(), wire.Welcome(wire.PROTOCOL_VERSION, __version__, ""), 0)
    frames: list[Frame] = []
    for at, message in messages(replay):
        model, events = fold(model, message, at)
        done = len(model.table.done) if model.table is not None else 0
        frames.append(Frame(at, model, events, done))
    return Playback(tuple(frames))
