// A game of similar size for boardgame.io: four seats in turn, hidden hands and piles, about as many bytes per seat and
// as many changes per decision as at our table. It has hardly any rules.
"use strict";

const SEATS = 4;
const HAND = 6;

function setup({ random }) {
  const deck = random.Shuffle(Array.from({ length: 60 }, (_, card) => card));
  const players = {};
  for (let seat = 0; seat < SEATS; seat++) {
    players[seat] = { hand: deck.splice(0, HAND), kept: 0, packet: [0, 0, 0, 0, 0, 0], mind: [0, 0, 0, 0] };
  }
  return {
    secret: { deck, aside: [0, 0] },
    players,
    round: 0,
    phase: 1,
    points: [0, 0, 0, 0],
    supply: [5, 5, 5, 5],
    committed: [0, 0, 0, 0],
    camp: [0, 0, 1, 1],
    roleShown: [0, 0, 0, 0],
    handSize: [HAND, HAND, HAND, HAND],
    land: Array.from({ length: 12 }, (_, slot) => slot),
    allegiance: Array(12).fill(0),
    contested: [3, 8],
    building: Array.from({ length: SEATS }, () => Array(8).fill(0)),
    board: Array.from({ length: SEATS }, () => Array(12).fill(0)),
    discards: Array(24).fill(0),
    strength: [0, 0],
    backers: [0, 0],
    deckSize: deck.length,
    news: [],
  };
}

// One decision: a card leaves the hand, another is drawn, points and supply change, and all players get news of it.
function decide({ G, ctx, playerID }, place) {
  const mine = G.players[playerID];
  const seat = Number(playerID);
  const card = mine.hand.splice(place % mine.hand.length, 1)[0];
  G.discards[card % G.discards.length] += 1;
  if (G.secret.deck.length === 0) G.secret.deck = Array.from({ length: 60 }, (_, each) => each);
  mine.hand.push(G.secret.deck.pop());
  G.deckSize = G.secret.deck.length;
  G.points[seat] += card % 3;
  G.supply[seat] = (G.supply[seat] + card) % 9;
  G.board[seat][card % 12] += 1;
  G.allegiance[card % 12] = G.camp[seat];
  G.strength = [0, 1].map((camp) => G.supply.reduce((sum, each, who) => sum + (G.camp[who] === camp ? each : 0), 0));
  if (seat === SEATS - 1) G.round += 1;
  G.news = [[ctx.turn, 1, seat, card, 0, 0], [ctx.turn, 2, seat, G.points[seat], G.supply[seat], 0]];
}

// The hands of other players do not leave the server.
function playerView({ G, playerID }) {
  const { secret, players, ...seen } = G;
  return { ...seen, players: playerID === null ? {} : { [playerID]: players[playerID] } };
}

exports.game = {
  name: "like",
  setup,
  playerView,
  minPlayers: SEATS,
  maxPlayers: SEATS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { decide: { move: decide, client: false } }, // a browser cannot know the drawn card
};
