"""What a bot cares for: the few numbers in which a reckless player of War Online and a careful one differ."""

from twoseat.values import Value


class Style(Value, frozen=True):
    """Weights in armies of the beginning of a game: what is worth 2 is worth losing two armies."""

    objective: float
    """Being very near to one's own objective."""
    denial: float
    """Keeping the other seat as far from whatever its own may be."""
    victory: float
    """The last territory one's objective needs, beyond that."""
    territory: float
    income: float
    """An army more each turn."""
    card: float
    """A card, as a part of what a third of the next set is worth."""
    army: float
    """An army lost, at the beginning of a game; later, when there are more, less."""
    kill: float
    """An army of the other seat, as a part of that."""
    caution: float
    """Fear of losing what stands weakly beside the other seat's armies, 1 being all it is worth."""
    foresight: int
    """Conquests a plan looks ahead."""
    nerve: float
    """The least probability of conquest to attack with, but where much is to be won or a weaker side is worn out."""


MIDDLE = Style(
    objective=60,
    denial=0,
    victory=0,
    territory=0.6,
    income=2,
    card=1.3,
    army=0.7,
    kill=0.5,
    caution=0,
    foresight=1,
    nerve=0,
)
STRONG = Style(
    objective=60,
    denial=45,
    victory=40,
    territory=0.6,
    income=2,
    card=1.3,
    army=2,
    kill=0.8,
    caution=0.6,
    foresight=5,
    nerve=0.6,
)
