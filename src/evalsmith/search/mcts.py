"""Monte Carlo tree search for every game: a tree in fixed memory, grown by one simulation after another.

The tree lives in one row of int64 words, the arena. It is a sequence of blocks, each with its size in its first word:

    node    head, VISITS, SUM, LOW, HIGH, EDGES, INFO
    edges   head, then two words an edge: the move or outcome with its prior or probability, and the child (0 for none)

A block only points to blocks behind it, since a parent is made before its children. That is what lets `keep` slide
the subtree of a played move to the front in one pass and without other memory.

Values are for side 0, whoever moves. SUM adds up values between -1 and 1. LOW and HIGH enclose what the node is worth
by finished games alone, in 1/65536 of the game's unit; where they meet, the node is proven and is not visited again.
When the arena is full the search goes on without new nodes: simulations end at the leaves that are there.
"""

from __future__ import annotations

import numpy as np

from evalsmith.compile import (
    Integers,
    Words,
    at,
    clock,
    driver,
    helper,
    int64,
    integers_at,
    pointer,
    reals_at,
    volatile,
    words_at,
)
from evalsmith.games.contract import (
    CHANCE,
    DRAW,
    FIRST_FREE,
    FRESH,
    OVER,
    PLAYER,
    WIN,
    WIN_VALUE,
    WORDS,
    chance_of,
    check_of,
    evaluate_of,
    key_of,
    mover_of,
    moves_of,
    order_of,
    play_into,
    repeated_in,
    result_of,
    reveal_into,
    status_of,
)
from evalsmith.games.keys import mix

# ── Slots of the context: counters, limits and flags ────────────────────────────────────────────
(
    SIMULATIONS,  # since the search began
    SIMULATION_LIMIT,
    DEADLINE,  # stop at this moment of `clock`, nanoseconds; 0 for none
    STOP,  # set from outside to stop at once
    DEPTH_LIMIT,  # stop when simulations are so long on average, or the arena is full; 0 for none
    PLIES,  # plies of all simulations since the search began
    SELDEPTH,  # the longest of them
    FULL,  # set when a node found no place
    TOP,  # the first free word of the arena
    ARENA_WORDS,
    HISTORY_LENGTH,  # how many positions were played before the root
    REPEATS,  # whether the game can repeat positions
    CHECKS,  # whether the game has check
    RANDOM,  # state of the random generator
    ROLLOUT_PLIES,  # random moves before a leaf is evaluated
    SELECTION,  # UCT or PUCT
    PRIOR,  # UNIFORM or BY_ORDER
    CENTRE,  # the evaluation that counts as 0
) = range(FIRST_FREE, FIRST_FREE + 18)
# Addresses of work arrays.
(
    ARENA,
    POSITIONS,  # the root, what the next root shall be, then a few rows to play in
    MOVES,
    PRIORS,  # of the moves in MOVES; probabilities where chance moves
    PATH,  # the nodes of the simulation
    KEYS,  # keys of the played positions and of the simulation
    CHECK_FLAGS,  # whether the mover was in check there
    CONSTANTS,
) = range(FIRST_FREE + 20, FIRST_FREE + 28)
EXPLORATION, SLOPE, CONSTANTS_SIZE = 0, 1, 2  # SLOPE: what the evaluation is multiplied with before tanh

UCT, PUCT = 0, 1
UNIFORM, BY_ORDER = 0, 1
MAX_PLY = 128  # a leaf so deep is not expanded
FIND_DEPTH = 4  # how far below the old root a new one is looked for: two moves, each with an outcome of chance
ROWS = 3 + FIND_DEPTH

# ── Blocks ──────────────────────────────────────────────────────────────────────────────────────
ROOT, _NOWHERE, FIRST_BLOCK = 0, 1, 2  # word 0 of the arena holds the address of the root; an address of 0 is none
VISITS, SUM, LOW, HIGH, EDGES, INFO, NODE_WORDS = range(1, 8)
# A head is kind + 2·size, and while `keep` works, above that, the address of the word that points to the block.
_NODE, _EDGES = 0, 1
_BACK, _HEAD = 24, (1 << 24) - 1
# The first word of an edge.
MOVE_BITS = 24
_MOVE = (1 << MOVE_BITS) - 1
SHARE = 1 << 38  # a prior or a probability of 1
# INFO is status + 4·mover + 256·plies to the end, the last where the node is proven.
SIDE, DISTANCE = 2, 8
ONE = 1 << 30  # a value of 1 in SUM
UNIT = 1 << 16  # one unit of the game in LOW and HIGH
OPEN = (1 << 22) * UNIT  # beyond every value
_UNKNOWN = 1 << 62
_POLL = 7  # the clock and the stop flag are looked at once in so many simulations and one


# ── Values ──────────────────────────────────────────────────────────────────────────────────────


@helper("int64(integers)", inline=True)
def _most(context: Integers) -> int:
    """The bound of a node of which nothing is known: a won game, or more than any margin."""
    return context[WIN_VALUE] * UNIT if context[WIN_VALUE] > 0 else OPEN


@helper("float64(integers, int64)", floats=True)
def _worth(context: Integers, bound: int) -> float:
    """A proven value between -1 and 1: its share of a won game, or the squashed margin."""
    if context[WIN_VALUE] > 0:
        return float(bound) / (float(context[WIN_VALUE]) * UNIT)
    return float(np.tanh(float(bound) / UNIT * reals_at(context[CONSTANTS])[SLOPE]))


@helper("int64(integers, words, int64)")
def _judge(context: Integers, position: Words, ply: int) -> int:
    """What a position is worth to side 0 if the game is over, by rule or by repetition; else _UNKNOWN."""
    sign = 1 if mover_of(context, position) == 0 else -1
    state = status_of(context, position)
    if state == OVER:
        return sign * result_of(context, position) * UNIT
    if context[REPEATS] != 0 and state == PLAYER:
        count = context[HISTORY_LENGTH] + ply
        repeated = repeated_in(context, position, words_at(context[KEYS]), integers_at(context[CHECK_FLAGS]), count)
        if repeated == DRAW:
            return 0
        if repeated != FRESH:
            return (sign if repeated == WIN else -sign) * context[WIN_VALUE] * UNIT
    return _UNKNOWN


@helper("int64(integers, int64)")
def _draw(context: Integers, count: int) -> int:
    """A random number below ``count``."""
    word = mix(np.uint64(context[RANDOM]), np.uint64(count))
    context[RANDOM] = int64(word >> np.uint64(1))
    return int64((word >> np.uint64(11)) % np.uint64(count))


@helper("int64(integers, words)", floats=True)
def _draw_outcome(context: Integers, position: Words) -> int:
    """An outcome of chance, by its probability."""
    chances = reals_at(context[PRIORS])
    outcomes = chance_of(context, position, chances)
    point = _draw(context, 1 << 30) / float(1 << 30)
    for outcome in range(outcomes - 1):
        point -= chances[outcome]
        if point < 0:
            return outcome
    return outcomes - 1


@helper("float64(integers, words, words)", floats=True)
def _roll_out(context: Integers, here: Words, there: Words) -> float:
    """Random moves from ``here``, then the evaluation, or the result of a game that ended. Both rows are used up."""
    moves = integers_at(context[MOVES])
    left = context[ROLLOUT_PLIES]
    while True:
        state = status_of(context, here)
        sign = 1 if mover_of(context, here) == 0 else -1
        if state == OVER:
            return _worth(context, sign * result_of(context, here) * UNIT)
        if left <= 0:
            value = sign * evaluate_of(context, here) - context[CENTRE]
            return float(np.tanh(float(value) * reals_at(context[CONSTANTS])[SLOPE]))
        if state == CHANCE:
            reveal_into(context, here, _draw_outcome(context, here), there)
        else:
            play_into(context, here, moves[_draw(context, moves_of(context, here, moves))], there)
            left -= 1
        here, there = there, here


# ── Nodes ───────────────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, int64, int64)")
def _allocate(context: Integers, kind: int, size: int) -> int:
    """A block of so many words, or 0 when the arena is full."""
    block = context[TOP]
    if block + size > context[ARENA_WORDS]:
        context[FULL] = 1
        return 0
    context[TOP] = block + size
    integers_at(context[ARENA])[block] = 2 * size + kind
    return block


@helper("int64(integers, words, int64)")
def _create(context: Integers, position: Words, value: int) -> int:
    """A node without edges, proven if ``value`` is known; 0 when the arena is full."""
    node = _allocate(context, _NODE, NODE_WORDS)
    if node == 0:
        return 0
    arena = integers_at(context[ARENA])
    limit = _most(context)
    arena[node + VISITS], arena[node + SUM], arena[node + EDGES] = 0, 0, 0
    arena[node + LOW], arena[node + HIGH] = (-limit, limit) if value == _UNKNOWN else (value, value)
    arena[node + INFO] = status_of(context, position) + (mover_of(context, position) << SIDE)
    return node


@helper("void(integers, words, int64)", floats=True)
def fill_priors(context: Integers, position: Words, count: int) -> None:
    """The share of each of the first ``count`` MOVES, into PRIORS; the shares sum to 1.

    By order it is a softmax of the scores in standard deviations, since games choose their own unit for them.
    This is the one place that knows where priors come from.
    """
    moves, priors = integers_at(context[MOVES]), reals_at(context[PRIORS])
    for i in range(count):
        priors[i] = 1.0 / count
    if context[PRIOR] == UNIFORM:
        return
    mean, square = 0.0, 0.0
    for i in range(count):
        priors[i] = float(order_of(context, position, moves[i]))
        mean += priors[i] / count
    for i in range(count):
        square += (priors[i] - mean) ** 2 / count
    deviation, total = max(np.sqrt(square), 1e-9), 0.0
    for i in range(count):
        priors[i] = np.exp((priors[i] - mean) / deviation)
        total += priors[i]
    for i in range(count):
        priors[i] /= total


@helper("int64(integers, int64, words)", floats=True)
def _expand(context: Integers, node: int, position: Words) -> int:
    """Give a node its edges; 0 when the arena is full."""
    arena = integers_at(context[ARENA])
    moves, priors = integers_at(context[MOVES]), reals_at(context[PRIORS])
    chance = arena[node + INFO] & 3 == CHANCE
    count = chance_of(context, position, priors) if chance else moves_of(context, position, moves)
    block = _allocate(context, _EDGES, 1 + 2 * count)
    if block == 0:
        return 0
    if not chance:
        fill_priors(context, position, count)
    for i in range(count):
        move = i if chance else moves[i]
        arena[block + 1 + 2 * i] = move + (int64(priors[i] * SHARE) << MOVE_BITS)
        arena[block + 2 + 2 * i] = 0
    arena[node + EDGES] = block
    return block


# ── Selection ───────────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, int64, int64)", floats=True)
def _pick_outcome(arena: Integers, block: int, end: int) -> int:
    """The edge of the outcome that was visited least for its probability; those that are proven need no visit."""
    best, least = 0, 0.0
    for edge in range(block + 1, end, 2):
        child, share = arena[edge + 1], arena[edge] >> MOVE_BITS
        if share == 0 or (child != 0 and arena[child + LOW] == arena[child + HIGH]):
            continue
        visits = arena[child + VISITS] if child != 0 else 0
        rate = (visits + 1) / float(share)
        if best == 0 or rate < least:
            best, least = edge, rate
    return best


@helper("int64(integers, int64, int64, int64)", floats=True)
def _pick_move(context: Integers, node: int, block: int, end: int) -> int:
    """The edge with the highest bound: what the move was worth so far, and more the less is known of it."""
    arena = integers_at(context[ARENA])
    sign = 1 if (arena[node + INFO] >> SIDE) & 1 == 0 else -1
    known = arena[node + LOW] if sign > 0 else -arena[node + HIGH]
    visits = max(arena[node + VISITS], 1)
    weight = reals_at(context[CONSTANTS])[EXPLORATION]
    spread = weight * np.sqrt(np.log(float(visits)))
    if context[SELECTION] == PUCT:
        spread = weight * np.sqrt(float(visits)) / SHARE
    untried = sign * float(arena[node + SUM]) / (float(visits) * ONE)  # a move not yet tried is taken for the mean
    best, highest, share_of_best = 0, 0.0, -1
    for edge in range(block + 1, end, 2):
        child, share = arena[edge + 1], arena[edge] >> MOVE_BITS
        count, value = 0, untried
        if child != 0:
            low, high = arena[child + LOW], arena[child + HIGH]
            if low == high or (high if sign > 0 else -low) <= known:
                continue  # proven, or no better than a move that is
            count = arena[child + VISITS]
            value = sign * float(arena[child + SUM]) / (float(max(count, 1)) * ONE)
        if context[SELECTION] == PUCT:
            bound = value + spread * float(share) / (1.0 + count)
        elif count == 0:
            bound = 1e9
        else:
            bound = value + spread / np.sqrt(float(count))
        if best == 0 or bound > highest or (bound == highest and share > share_of_best):
            best, highest, share_of_best = edge, bound, share
    return best


# ── One simulation ──────────────────────────────────────────────────────────────────────────────


@helper("int64(integers, int64, int64)")
def _tighten(context: Integers, node: int, block: int) -> int:
    """Bring LOW and HIGH of a player's node up to date with its children; whether they changed."""
    arena = integers_at(context[ARENA])
    end = block + ((arena[block] & _HEAD) >> 1)
    limit = _most(context)
    sign = 1 if (arena[node + INFO] >> SIDE) & 1 == 0 else -1
    least, most = -limit, -limit
    for edge in range(block + 1, end, 2):
        child = arena[edge + 1]
        low, high = -limit, limit
        if child != 0:
            low, high = arena[child + LOW], arena[child + HIGH]
            if sign < 0:
                low, high = -high, -low
        least, most = max(least, low), max(most, high)
    if least == most:  # the winner hurries, the loser does not
        distance = -1
        for edge in range(block + 1, end, 2):
            child = arena[edge + 1]
            if child != 0 and arena[child + LOW] == sign * least and arena[child + HIGH] == sign * least:
                plies = arena[child + INFO] >> DISTANCE
                if distance < 0 or (plies < distance) == (least > 0):
                    distance = plies
        arena[node + INFO] = (arena[node + INFO] & ((1 << DISTANCE) - 1)) + ((distance + 1) << DISTANCE)
    low, high = (least, most) if sign > 0 else (-most, -least)
    changed = 1 if low != arena[node + LOW] or high != arena[node + HIGH] else 0
    arena[node + LOW], arena[node + HIGH] = low, high
    return changed


@helper("float64(integers, int64, int64)", floats=True)
def _average(context: Integers, node: int, block: int) -> float:
    """Bring the bounds of a chance node up to date; the mean of its outcomes so far, weighted by probability."""
    arena = integers_at(context[ARENA])
    end = block + ((arena[block] & _HEAD) >> 1)
    limit = float(_most(context))
    total, seen, value, least, most = 0.0, 0.0, 0.0, 0.0, 0.0
    proven, distance = 1, 0
    for edge in range(block + 1, end, 2):
        child, share = arena[edge + 1], float(arena[edge] >> MOVE_BITS)
        total += share
        if child == 0:
            least -= share * limit
            most += share * limit
            proven = 0 if share > 0.0 else proven
            continue
        low, high = arena[child + LOW], arena[child + HIGH]
        least += share * float(low)
        most += share * float(high)
        seen += share
        if low == high:
            value += share * _worth(context, low)
            distance = max(distance, arena[child + INFO] >> DISTANCE)
        else:
            value += share * float(arena[child + SUM]) / (float(arena[child + VISITS]) * ONE)
            proven = 0
    arena[node + LOW] = int64(np.floor(least / total))
    arena[node + HIGH] = int64(np.ceil(most / total))
    if proven != 0:
        arena[node + LOW] = int64(np.floor(least / total + 0.5))
        arena[node + HIGH] = arena[node + LOW]
        arena[node + INFO] = (arena[node + INFO] & ((1 << DISTANCE) - 1)) + ((distance + 1) << DISTANCE)
    return value / seen


@helper("void(integers, int64, float64, int64)", floats=True)
def _back_up(context: Integers, last: int, value: float, changed: int) -> None:
    """Give every node of the path the value of the simulation, and what its last node proved (``changed``).

    A value stays within what is proven: with a proven move at hand the mover need not suffer a worse one.
    """
    arena, path, limit = integers_at(context[ARENA]), integers_at(context[PATH]), _most(context)
    for ply in range(last, -1, -1):
        node = path[ply]
        block = arena[node + EDGES]
        arena[node + VISITS] += 1
        chance = ply < last and arena[node + INFO] & 3 == CHANCE
        if chance:
            low, high = arena[node + LOW], arena[node + HIGH]
            value = _average(context, node, block)
            changed = 1 if low != arena[node + LOW] or high != arena[node + HIGH] else 0
        elif block != 0 and changed != 0:
            changed = _tighten(context, node, block)
        if arena[node + LOW] > -limit:
            value = max(value, _worth(context, arena[node + LOW]))
        if arena[node + HIGH] < limit:
            value = min(value, _worth(context, arena[node + HIGH]))
        if chance:
            arena[node + SUM] = int64(value * ONE * arena[node + VISITS])
        else:
            arena[node + SUM] += int64(value * ONE)


@helper("void(integers, words, int64)")
def _note(context: Integers, position: Words, ply: int) -> None:
    """Remember a position of the path, for repetitions."""
    if context[REPEATS] != 0:
        words_at(context[KEYS])[context[HISTORY_LENGTH] + ply] = key_of(context, position)
        checked = check_of(context, position) if context[CHECKS] != 0 else 0
        integers_at(context[CHECK_FLAGS])[context[HISTORY_LENGTH] + ply] = checked


@helper("void(integers)", floats=True)
def _simulate(context: Integers) -> None:
    """Go down the tree, add one node, find its value, and back it up."""
    arena, path = integers_at(context[ARENA]), integers_at(context[PATH])
    root, words = words_at(context[POSITIONS]), context[WORDS]
    here, there = at(root, 2 * words), at(root, 3 * words)
    for i in range(words):
        here[i] = root[i]
    node, ply, changed, value = arena[ROOT], 0, 0, 0.0
    path[0] = node
    while True:
        if arena[node + LOW] == arena[node + HIGH]:
            value = _worth(context, arena[node + LOW])
            break
        block = arena[node + EDGES]
        if block == 0 and ply < MAX_PLY - 1:
            block = _expand(context, node, here)
        if block == 0:
            value = _roll_out(context, here, there)
            break
        end = block + ((arena[block] & _HEAD) >> 1)
        chance = arena[node + INFO] & 3 == CHANCE
        edge = _pick_outcome(arena, block, end) if chance else _pick_move(context, node, block, end)
        if chance:
            reveal_into(context, here, arena[edge] & _MOVE, there)
        else:
            play_into(context, here, arena[edge] & _MOVE, there)
        here, there = there, here
        node = arena[edge + 1]
        if node == 0:
            exact = _judge(context, here, ply + 1)
            node = _create(context, here, exact)
            if node != 0:
                ply += 1
                path[ply] = node
                arena[edge + 1] = node
                changed = 1 if exact != _UNKNOWN else 0
            value = _roll_out(context, here, there) if exact == _UNKNOWN else _worth(context, exact)
            break
        ply += 1
        path[ply] = node
        _note(context, here, ply)
    _back_up(context, ply, value, changed)
    context[PLIES] += ply
    context[SELDEPTH] = max(context[SELDEPTH], ply)


@driver("void(int64[::1])", floats=True)
def run(given: Integers) -> None:
    """Simulate from the position in row 0 until a limit strikes or the root is proven."""
    context = pointer(given)
    arena, root = integers_at(context[ARENA]), words_at(context[POSITIONS])
    context[SIMULATIONS], context[PLIES], context[SELDEPTH], context[FULL] = 0, 0, 0, 0
    if arena[ROOT] == 0:
        arena[ROOT] = _create(context, root, _UNKNOWN)
    node = arena[ROOT]
    if arena[node + EDGES] == 0:
        _expand(context, node, root)
    _note(context, root, 0)
    while context[SIMULATIONS] < context[SIMULATION_LIMIT] and arena[node + LOW] != arena[node + HIGH]:
        done = context[SIMULATIONS]
        if done & _POLL == 0:
            if volatile(context, STOP) != 0 or (context[DEADLINE] != 0 and clock() >= context[DEADLINE]):
                break
            long = context[PLIES] >= context[DEPTH_LIMIT] * done or context[FULL] != 0
            if context[DEPTH_LIMIT] > 0 and done > 0 and long:
                break
        _simulate(context)
        context[SIMULATIONS] = done + 1


# ── Keeping the tree between moves ──────────────────────────────────────────────────────────────


@helper("int64(integers, int64, words, int64, int64)")
def _find(context: Integers, node: int, position: Words, ply: int, depth: int) -> int:
    """The node at or below this one whose position is that of row 1, at most ``depth`` plies below the root; or 0.

    Where positions can repeat, a node depends on how it was reached, so the keys of what was played must fit.
    """
    words, wanted = context[WORDS], at(words_at(context[POSITIONS]), context[WORDS])
    same = context[REPEATS] == 0 or ply == depth
    for i in range(words):
        same = same and position[i] == wanted[i]
    if same:
        return node
    arena = integers_at(context[ARENA])
    block = arena[node + EDGES]
    if block == 0 or ply >= depth:
        return 0
    if context[REPEATS] != 0:
        played = words_at(context[KEYS])[context[HISTORY_LENGTH] - depth + ply]
        if key_of(context, position) != played:
            return 0
    below = at(position, words)
    for edge in range(block + 1, block + ((arena[block] & _HEAD) >> 1), 2):
        child = arena[edge + 1]
        if child == 0:
            continue
        if arena[node + INFO] & 3 == CHANCE:
            reveal_into(context, position, arena[edge] & _MOVE, below)
        else:
            play_into(context, position, arena[edge] & _MOVE, below)
        found = _find(context, child, below, ply + 1, depth)
        if found != 0:
            return found
    return 0


@helper("void(integers, int64)")
def _slide(context: Integers, root: int) -> None:
    """Keep the blocks that can be reached from ``root``, at the front of the arena."""
    arena = integers_at(context[ARENA])
    place, target = root, FIRST_BLOCK
    arena[ROOT] = 0  # a reader in another thread sees no tree meanwhile
    arena[root] += _NOWHERE << _BACK
    while place < context[TOP]:
        head = arena[place] & _HEAD
        size, back = head >> 1, arena[place] >> _BACK
        if back != 0:
            arena[back] = target
            arena[target] = head
            for i in range(1, size):
                arena[target + i] = arena[place + i]
            first, step = (target + EDGES, NODE_WORDS) if head & 1 == _NODE else (target + 2, 2)
            for pointing in range(first, target + size, step):
                if arena[pointing] != 0:
                    arena[arena[pointing]] += pointing << _BACK
            target += size
        place += size
    context[TOP] = target
    arena[ROOT] = FIRST_BLOCK


@driver("int64(int64[::1], int64)")
def keep(given: Integers, depth: int) -> int:
    """Make the position of row 1 the root, with what is known of it; 1 if it was found below the old root."""
    context = pointer(given)
    arena, root, words = integers_at(context[ARENA]), words_at(context[POSITIONS]), context[WORDS]
    found = 0
    if arena[ROOT] != 0 and depth >= 0:
        row = at(root, 2 * words)
        for i in range(words):
            row[i] = root[i]
        found = _find(context, arena[ROOT], row, 0, depth)
    for i in range(words):
        root[i] = root[words + i]
    # A node without edges has nothing to keep, and if it was drawn by repetition it must not stay so.
    if found == 0 or arena[found + EDGES] == 0:
        arena[ROOT], context[TOP] = 0, FIRST_BLOCK
        return 0
    _slide(context, found)
    return 1
