"""The contract of tickets, tables and places, on each kind of store: every race between nodes has one winner."""

import asyncio
from dataclasses import replace

import msgspec
import pytest

from stores import Join, Peer, everlasting, person, raw, ticket
from twoseat.games.game import Options
from twoseat.ids import new_code, new_match_id
from twoseat_server.store import keys
from twoseat_server.store.tickets import CODE_TTL, PLACE_TTL, TICKET_TTL, Place, Standing, Table, Ticket, pool_of


@pytest.fixture
async def a(join_any: Join) -> Peer:
    return join_any("a")


@pytest.fixture
async def b(join_any: Join) -> Peer:
    return join_any("b")


def table(at: Peer) -> Table:
    host, name = person("Ann Ѐ 'x' \"")
    return Table(new_code(), host, name, at.name, Options(games=3))


AS_EVER = (
    r"""{{"code":"{0.code}","player":"{0.player}","name":"Ann \u0400 'x' \"","node":"{0.node}","""
    '"options":{{"game":"war",'
    '"preset":"points","target":50,"turn_seconds":15,"timer":1,"games":3,"abandon_after":600,"limit":100,'
    '"level":"middle"}},"match":""}}'
)
"""How table() is written down, by nodes of every version: a swap compares what is stored letter by letter."""


async def queue(at: Peer, waiting: Ticket, since: int) -> Ticket:
    """Put a ticket straight into the queue: two who want the same never wait there together otherwise."""
    async with raw(at.url) as store:
        await store.set(keys.ticket(waiting.id), msgspec.json.encode(waiting), px=TICKET_TTL)
        await store.zadd(keys.pool(pool_of(waiting.options)), {waiting.id: since})
    return waiting


async def test_the_longest_wait_goes_first(a: Peer, b: Peer) -> None:
    second, first = await queue(a, ticket(a), 2_000), await queue(b, ticket(b), 1_000)
    assert (await b.tickets.pair(ticket(b), 0))[1] == first
    assert (await b.tickets.pair(ticket(b), 0))[1] == second
    began, across = await b.tickets.pair(ticket(b), 0)
    assert across is None
    assert began > 2_000, "a wait that begins now is stamped by the store's clock"


async def test_a_wait_that_is_taken_up_again_keeps_its_place(a: Peer) -> None:
    await queue(a, ticket(a), 2_000)
    again = ticket(a)
    async with raw(a.url) as store:
        await store.delete(keys.ticket((await store.zrange(keys.pool(pool_of(Options())), 0, 0))[0]))
    assert await a.tickets.pair(again, 1_000) == (1_000, None)
    await queue(a, ticket(a), 2_000)
    assert (await a.tickets.pair(ticket(a), 0))[1] == again


async def test_nobody_meets_himself(a: Peer, b: Peer) -> None:
    mine = ticket(a)
    other_tab = ticket(b, player=mine.player)
    assert (await a.tickets.pair(mine, 0))[1] is None
    assert (await a.tickets.pair(mine, 0))[1] is None
    assert (await b.tickets.pair(other_tab, 0))[1] is None
    assert (await b.tickets.pair(ticket(b), 0))[1] in (mine, other_tab)


async def test_only_those_who_want_the_same_meet(a: Peer) -> None:
    await a.tickets.pair(ticket(a, Options(target=5)), 0)
    for options in (Options(target=6), Options(target=5, games=3), Options(target=5, preset="classic")):
        assert (await a.tickets.pair(ticket(a, options), 0))[1] is None
    assert (await a.tickets.pair(ticket(a, Options(target=5)), 0))[1] is not None


async def test_a_ticket_nobody_vouches_for_is_dead_and_swept_on_the_way(a: Peer) -> None:
    dead, living = ticket(a), ticket(a)
    await a.tickets.pair(dead, 0)
    async with raw(a.url) as store:
        assert 0 < await store.pttl(keys.ticket(dead.id)) <= TICKET_TTL
        await store.delete(keys.ticket(dead.id))
        await queue(a, living, 9_000_000_000_000)
        assert (await a.tickets.pair(ticket(a), 0))[1] == living
        assert await store.zcard(keys.pool(pool_of(Options()))) == 0


async def test_vouching_keeps_a_ticket_alive(a: Peer) -> None:
    mine = ticket(a)
    await a.tickets.pair(mine, 0)
    async with raw(a.url) as store:
        await store.pexpire(keys.ticket(mine.id), 500)
        assert await a.tickets.vouch(mine) is Standing.WAITS
        assert await store.pttl(keys.ticket(mine.id)) > 500


async def test_a_withdrawn_ticket_meets_nobody_and_a_paired_one_cannot_be_withdrawn(a: Peer) -> None:
    gone, paired = ticket(a), ticket(a)
    await a.tickets.pair(gone, 0)
    assert await a.tickets.waits(gone.id)
    assert await a.tickets.withdraw(gone)
    assert not await a.tickets.waits(gone.id)
    assert (await a.tickets.pair(paired, 0))[1] is None
    assert (await a.tickets.pair(ticket(a), 0))[1] == paired
    assert not await a.tickets.withdraw(paired)
    assert await a.tickets.waits(paired.id), "she is not free for anything else"
    assert await a.tickets.vouch(paired) is Standing.PAIRED
    assert (await a.tickets.pair(ticket(a), 0))[1] is None
    async with raw(a.url) as store:
        assert 0 < await store.pttl(keys.ticket(paired.id)) <= TICKET_TTL, "vouching does not keep it paired for ever"
        await store.delete(keys.ticket(paired.id))
    assert await a.tickets.vouch(paired) is Standing.GONE
    assert await a.tickets.withdraw(paired), "a ticket that is lost is in nobody's way"


async def test_200_times_two_nodes_race_for_a_ticket_and_each_is_paired_once(a: Peer, b: Peer) -> None:
    waits: list[str] = []
    pairs: list[frozenset[str]] = []
    for _ in range(200):
        tickets = [ticket(at) for at in (a, b, a, b)]
        answers = await asyncio.gather(
            *(at.tickets.pair(one, 0) for at, one in zip((a, b, a, b), tickets, strict=True))
        )
        for one, (_, across) in zip(tickets, answers, strict=True):
            if across is None:
                waits.append(one.id)
            else:
                pairs.append(frozenset((one.id, across.id)))
    paired = [name for pair in pairs for name in pair]
    assert len(pairs) == 400
    assert len(paired) == len(set(paired)) == 800
    assert set(waits) < set(paired)


async def test_of_two_who_claim_a_seat_exactly_one_gets_it(a: Peer, b: Peer) -> None:
    for _ in range(50):
        open_table = table(a)
        assert await a.tickets.open(open_table)
        matches = new_match_id(), new_match_id()
        answers = await asyncio.gather(
            *(at.tickets.claim(open_table.code, person()[0], one) for at, one in zip((a, b), matches, strict=True))
        )
        assert sorted(word for word, _ in answers) == ["claimed", "match"]
        won = [word for word, _ in answers].index("claimed")
        assert answers[won][1] == open_table
        assert answers[1 - won] == ("match", matches[won])
        claimed = await b.tickets.table(open_table.code)
        assert claimed == replace(open_table, match=matches[won])


async def test_a_claim_answers_what_is_true(a: Peer) -> None:
    open_table, match_id, player = table(a), new_match_id(), person()[0]
    assert await a.tickets.claim(open_table.code, player, match_id) == ("not_found", None)
    await a.tickets.open(open_table)
    assert await a.tickets.claim(open_table.code, open_table.player, match_id) == ("own", None)
    await a.tickets.claim(open_table.code, player, match_id)
    other = new_match_id()
    assert await a.tickets.claim(open_table.code, player, other) == ("match", match_id)
    word, _ = await a.tickets.claim(open_table.code, player, other, never_made=match_id)
    assert word == "claimed", "a match that was claimed but never made is in nobody's way"


async def test_a_code_is_given_once_and_a_table_that_is_down_is_gone_at_once(a: Peer, b: Peer) -> None:
    mine = table(a)
    assert await a.tickets.open(mine)
    assert not await b.tickets.open(replace(table(b), code=mine.code))
    await a.tickets.close(mine)
    assert await b.tickets.claim(mine.code, person()[0], new_match_id()) == ("not_found", None)
    assert await b.tickets.table(mine.code) is None


async def test_a_table_somebody_has_joined_cannot_be_taken_down(a: Peer) -> None:
    mine = table(a)
    await a.tickets.open(mine)
    await a.tickets.claim(mine.code, person()[0], new_match_id())
    await a.tickets.close(mine)
    assert await a.tickets.table(mine.code) is not None


async def test_a_code_and_its_players_move_on_to_the_next_match_only_from_the_one_before(a: Peer, b: Peer) -> None:
    first, second, third = new_match_id(), new_match_id(), new_match_id()
    claimed, put_up = table(a), replace(table(a), match=first)
    await a.tickets.open(claimed)
    await a.tickets.claim(claimed.code, person()[0], first)
    await a.tickets.open(put_up)
    here, elsewhere, nowhere = (person()[0] for _ in range(3))
    await a.tickets.put(here, Place(match=first, session="hers"))
    await a.tickets.put(elsewhere, Place(match=third))
    for following in (second, third):
        for open_table in (claimed, put_up):
            await a.tickets.onward(open_table.code, (here, elsewhere, nowhere), first, following)
            assert await b.tickets.table(open_table.code) == replace(open_table, match=second)
    assert await b.tickets.place(here) == Place(match=second, session="hers")
    assert await b.tickets.place(elsewhere) == Place(match=third)
    assert await b.tickets.place(nowhere) is None
    await a.tickets.onward(gone := new_code(), (), first, second)
    assert await b.tickets.table(gone) is None
    assert await b.tickets.move(here, Place(code=gone), before=Place(match=second, session="hers"))


async def test_a_name_that_reads_like_a_match_stays_as_it_is(a: Peer) -> None:
    first, second = new_match_id(), new_match_id()
    named = replace(table(a), name=f'","match":"{first}"', match=first)
    await a.tickets.open(named)
    await a.tickets.onward(named.code, (), first, second)
    assert await a.tickets.table(named.code) == replace(named, match=second)


async def test_of_two_moves_from_one_place_exactly_one_is_made(a: Peer, b: Peer) -> None:
    player, _ = person()
    before = None
    for number in range(20):
        places = Place(code=f"a{number}"), Place(code=f"b{number}")
        moved = await asyncio.gather(
            *(at.tickets.move(player, place, before=before) for at, place in zip((a, b), places, strict=True))
        )
        assert sorted(moved) == [False, True]
        before = await a.tickets.place(player)
        assert before == places[moved.index(True)]


async def test_everything_in_the_lobby_ends_by_itself(a: Peer) -> None:
    player, _ = person()
    mine = table(a)
    await a.tickets.pair(ticket(a), 0)
    await a.tickets.open(mine)
    await a.tickets.put(player, Place(code=mine.code))
    await a.tickets.move(person()[0], Place(ticket="x"), before=None)
    assert await everlasting(a.url) == set()
    async with raw(a.url) as store:
        assert CODE_TTL - 5_000 < await store.pttl(keys.code(mine.code)) <= CODE_TTL
        await a.tickets.claim(mine.code, player, new_match_id())
        assert PLACE_TTL - 5_000 < await store.pttl(keys.code(mine.code)) <= PLACE_TTL


async def test_a_host_takes_back_her_table_from_a_node_of_another_version(a: Peer, b: Peer) -> None:
    put_up = table(a)
    async with raw(a.url) as store:
        await store.set(keys.code(put_up.code), AS_EVER.format(put_up), px=CODE_TTL)
        found = await b.tickets.table(put_up.code)
        assert found == put_up
        mine = replace(found, node=b.name)
        assert await b.tickets.retake(found, mine)
        assert await store.get(keys.code(put_up.code)) == AS_EVER.format(mine)
        assert await b.tickets.close(mine)
