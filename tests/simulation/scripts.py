"""What each Lua script of the store does, line for line, on the model; each answer is compared with the real one."""

import json
from collections.abc import Callable
from typing import Any

from twoseat_server.store.scripts import SCRIPTS

Keys = tuple[str, ...]
Args = tuple[bytes, ...]


def _beat(store: Any, keys: Keys, args: Args) -> Any:
    now, silence = store.now(), int(args[1])
    ranked = store.ranked(keys[0])
    gap = now - (ranked[-1][1] if ranked else now)
    if gap < 0 or gap > silence / 2:
        for name, _ in ranked:
            store.do_zadd(keys[0], now, name)
    store.do_zadd(keys[0], now, args[0])
    ranked = store.ranked(keys[0])
    return [
        [name.encode() for name, at in ranked if at <= now - silence],
        [name.encode() for name, at in ranked if at > now - silence],
    ]


def _claim(store: Any, keys: Keys, args: Args) -> Any:
    stored = store.do_get(keys[0])
    if stored is None:
        return [b"not_found"]
    table = json.loads(stored)
    if table["match"] not in {"", args[2].decode()}:
        return [b"match", table["match"].encode()]
    if table["player"] == args[0].decode():
        return [b"own"]
    claimed = json.dumps({**table, "match": args[1].decode()}, separators=(",", ":"))
    store.do_set(keys[0], claimed, "PX", int(args[3]))
    return [b"claimed", stored]


def _commit(store: Any, keys: Keys, args: Args) -> Any:
    match_id, own, quiet, ttl, held, version, record, deadline, entry = args
    expected = b"" if version == b"1" else b"%d" % (int(version) - 1)
    if (store.do_hget(keys[0], "v") or b"") != expected:
        return 0
    store.do_hset(keys[0], "v", version, "d", record)
    store.do_pexpire(keys[0], ttl)
    if deadline == b"":
        store.do_zrem(keys[2], match_id)
    else:
        store.do_zadd(keys[2], int(deadline), match_id)
    store.do_rpush(keys[1], entry)
    store.do_pexpire(keys[1], ttl)
    if held[:1] == b"+":
        for key, member in ((keys[4], held[1:]), (keys[3], own)):
            store.do_sadd(key, member)
            store.do_pexpire(key, ttl)
    elif held:
        store.do_srem(keys[4], held[1:])
    others = [node for node in store.do_smembers(keys[3]) if node != own]
    if quiet:
        return others
    for node in others:
        store.publish(keys[0].partition("}")[0] + "}:news:" + node.decode(), b"match " + record)
    return 1


def _connection(store: Any, keys: Keys, args: Args) -> int:
    return 0 if store.there(keys[0]) is None else int(store.do_hincrby(keys[0], "c", 1))


def _disarm(store: Any, keys: Keys, args: Args) -> int:
    return 0 if store.there(keys[0]) is not None else int(store.do_zrem(keys[1], args[0]))


def _onward(store: Any, keys: Keys, args: Args) -> None:
    at, following = (b'"match":"%b"' % match for match in args[:2])
    for key in keys:
        stored = store.do_get(key) or b""
        if at in stored:
            store.do_set(key, stored.replace(at, following), "PX", int(args[2]))


def _pair(store: Any, keys: Keys, args: Args) -> Any:
    pool, own = keys
    since = int(args[4]) or store.now()
    for name, _ in store.ranked(pool)[:32]:
        key = f"{{lobby}}:ticket:{name}"
        waiting = store.do_get(key)
        if not waiting:
            store.do_zrem(pool, name)
        elif name.encode() != args[0] and json.loads(waiting)["player"] != args[1].decode():
            store.do_zrem(pool, name, args[0])
            store.do_del(own)
            store.do_set(key, b"", "PX", int(args[3]))
            return [since, waiting]
    store.do_set(own, args[2], "PX", int(args[3]))
    store.do_zadd(pool, since, args[0])
    store.do_pexpire(pool, args[5])
    return [since, b""]


def _swap(store: Any, keys: Keys, args: Args) -> int:
    if (store.do_get(keys[0]) or b"") != args[0]:
        return 0
    if args[1] == b"":
        store.do_del(keys[0])
    else:
        store.do_set(keys[0], args[1], "PX", int(args[2]))
    return 1


def _sweep(store: Any, keys: Keys, args: Args) -> Any:
    now, (gap, grace, lease, most, seldom) = store.now(), map(int, args[:5])
    confirmed = int(args[5]) if args[5] else None
    stops, due = [], []
    for clock, deadlines in zip(keys[::2], keys[1::2], strict=True):
        read, armed = store.there(clock) or {}, store.there(deadlines) is not None
        stamp, stopped = int(read.get("stamp", now)), int(read.get("stops", 0))
        if now - stamp > gap or now < stamp:
            stopped += now - stamp
            store.do_hset(clock, "stops", stopped)
            if confirmed is not None:
                store.do_hset(clock, "had", now)
        elif confirmed is not None:
            known = int(read["had"]) if "had" in read else None
            had = min(now, max(now if known is None else known, confirmed))
            if now - had > 2 * gap:
                stopped += now - had - 2 * gap
                store.do_hset(clock, "stops", stopped, "had", now - 2 * gap)
            elif known is None or abs(had - known) >= seldom:
                store.do_hset(clock, "had", had)
        if armed or now < stamp or now - stamp >= seldom or "stamp" not in read:
            store.do_hset(clock, "stamp", now)
        stops.append(stopped)
        if not armed:
            continue
        game = now - stopped
        for name, _ in [each for each in store.ranked(deadlines) if each[1] <= game - grace][:most]:
            store.do_zadd(deadlines, game + lease, name)
            due.append(name.encode())
    return [now, stops, due]


def _vouch(store: Any, keys: Keys, args: Args) -> bytes:
    stored = store.do_get(keys[0])
    if stored is None:
        return b"gone"
    if stored == b"":
        return b"paired"
    store.do_pexpire(keys[0], args[0])
    return b"waits"


def _withdraw(store: Any, keys: Keys, args: Args) -> int:
    if store.do_get(keys[0]) == b"":
        return 0
    store.do_del(keys[0])
    return 1


MODELS: dict[str, Callable[[Any, Keys, Args], Any]] = {
    "beat": _beat,
    "claim": _claim,
    "commit": _commit,
    "connection": _connection,
    "disarm": _disarm,
    "onward": _onward,
    "pair": _pair,
    "swap": _swap,
    "sweep": _sweep,
    "vouch": _vouch,
    "withdraw": _withdraw,
}
SCRIPTS_BY_SHA = {SCRIPTS[name].sha: MODELS[name] for name in SCRIPTS}
NAMES_BY_SHA = {SCRIPTS[name].sha: name for name in SCRIPTS}
