"""Verräter: changing alliances for three or four. The game as one object, and how a seat imagines hidden cards."""

from tripot.core.game import IMAGINATION, Game, SmallGame, Stages
from tripot.core.pile import bag_size, random_bit, take_random
from tripot.core.rng import roll, seed_luck
from tripot.games.verrater import heuristic, text
from tripot.games.verrater.actions import NUM_ACTIONS
from tripot.games.verrater.cards import ALL_ROLES, SUPPLY_KINDS
from tripot.games.verrater.effects import seat_at
from tripot.games.verrater.guide import GUIDE
from tripot.games.verrater.hidden import HIDDEN
from tripot.games.verrater.lessons import LESSONS
from tripot.games.verrater.notation import NOTATION
from tripot.games.verrater.phases import apply, deal, decide, legal, settle, settle_step, step_kind
from tripot.games.verrater.quantities import QUANTITIES
from tripot.games.verrater.small import SmallOptions, deal_small
from tripot.games.verrater.state import FIELDS, Options, Phase
from tripot.games.verrater.teaching import TEACHING


def imagine(view, s, seed):
    """Fills in what the seat does not see, with the probabilities that its view implies."""
    seed_luck(s, seed, IMAGINATION)
    if view.phase == Phase.DRAFT or view.phase == Phase.SUPPLY:
        imagine_draft(view, s)
    elif view.role_shown[view.seat] > 0:
        recall_draft(view, s)
    imagine_hands(view, s)
    seed_luck(s, roll(s, 1 << 31), IMAGINATION + 1)  # future random numbers


# --- The draft --------------------------------------------------------------- [V-2.2]


def imagine_draft(view, s):
    """Roles the seat was not handed lie aside or with earlier seats; roles it passed on lie with later ones."""
    before = ALL_ROLES - view.my_handed  # all roles if the draft has not reached the seat
    after = view.my_handed & ~(1 << view.my_role_kept)
    s.set_aside = random_bit(s, before)
    before -= 1 << s.set_aside
    rest = ALL_ROLES - (1 << s.set_aside)
    for order in range(s.seats):
        seat = seat_at(s, order)
        s.handed[seat] = rest
        if s.phase == Phase.DRAFT and s.waiting >> seat & 1:
            return  # this seat is choosing from these
        if seat == view.seat:
            role = view.my_role_kept
        elif before > 0:
            role = random_bit(s, before)
            before -= 1 << role
        else:
            role = random_bit(s, after)
            after -= 1 << role
        s.role_kept[seat] = role
        rest -= 1 << role
    s.middle = rest


def recall_draft(view, s):
    """Once the roles are shown, the role set aside is the only one left that the seat was not handed."""
    unseen = ALL_ROLES
    for seat in range(s.seats):
        unseen -= 1 << view.role_shown[seat]
    s.set_aside = random_bit(s, unseen & ~view.my_handed)
    rest = ALL_ROLES - (1 << s.set_aside)
    for order in range(s.seats):
        seat = seat_at(s, order)
        s.handed[seat] = rest
        s.role_kept[seat] = view.role_shown[seat]
        rest -= 1 << view.role_shown[seat]
    s.middle = rest


# --- The hands --------------------------------------------------------------- [V-2.14]


def imagine_hands(view, s):
    """Deals the unknown cards: older ones to hands that kept some, fresh ones to hands and pile."""
    gather_unknown(view, s)
    while not settle_surfaced(view, s):  # the real cards are one solution, so this loop ends
        gather_unknown(view, s)
    for seat in range(s.seats):
        if seat != view.seat:
            deal_unknown(view, s, seat)


def gather_unknown(view, s):
    """Collects all unknown cards: older ones in `loose`, fresh ones in `pile`; empties the other hands."""
    for kind in range(SUPPLY_KINDS):
        s.loose[kind] = view.older[kind] - view.my_kept_over[kind]
        s.pile[kind] = view.fresh[kind] - view.my_drew[kind]
        for seat in range(s.seats):
            if seat != view.seat:
                s.kept_over[seat][kind] = 0
                s.drew[seat][kind] = 0


def settle_surfaced(view, s):
    """Decides for every card seen recently whether it was older or fresh. Returns False if there is no way."""
    older = bag_size(s.loose)
    fresh = bag_size(s.pile)
    for seat in range(s.seats):
        if seat != view.seat:
            held_over = view.held_over[seat]
            drawn = view.drawn[seat]
            for kind in range(SUPPLY_KINDS):
                for _ in range(view.surfaced[seat][kind]):
                    old = held_over * s.loose[kind] * max(fresh, 1)
                    new = drawn * s.pile[kind] * max(older, 1)
                    if old + new == 0:
                        return False
                    if roll(s, old + new) < old:
                        s.loose[kind] -= 1
                        s.kept_over[seat][kind] += 1
                        held_over -= 1
                        older -= 1
                    else:
                        s.pile[kind] -= 1
                        s.drew[seat][kind] += 1
                        drawn -= 1
                        fresh -= 1
    return True


def deal_unknown(view, s, seat):
    """Gives another seat the cards it must hold, including its remaining starting cards."""
    older = view.held_over[seat] - bag_size(s.kept_over[seat])
    fresh = view.drawn[seat] - bag_size(s.drew[seat])
    for _ in range(older):
        s.kept_over[seat][take_random(s, s.loose, bag_size(s.loose))] += 1
    for _ in range(fresh):
        s.drew[seat][take_random(s, s.pile, bag_size(s.pile))] += 1
    for kind in range(SUPPLY_KINDS):
        s.hand[seat][kind] = (
            view.known[seat][kind] + s.kept_over[seat][kind] + s.drew[seat][kind] - view.surfaced[seat][kind]
        )


GAME = Game(
    name="verrater",
    seats=(3, 4),
    rules_version=1,
    fields=FIELDS,
    options=Options,
    num_actions=NUM_ACTIONS,
    deal=deal,
    legal=legal,
    apply=apply,
    imagine=imagine,
    text=text,
    decisive=True,
    small=SmallGame(SmallOptions, deal_small),
    stages=Stages(decide, settle, settle_step, step_kind),
    heuristic=heuristic.choose,
    guide=GUIDE,
    quantities=QUANTITIES,
    hidden=HIDDEN,
    notation=NOTATION,
    lessons=LESSONS,
    teaching=TEACHING,
    board="tripot.terminal.verrater",
    drawing="verrater",
)
