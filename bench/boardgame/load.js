// The load generator for boardgame.io, with boardgame.io's client: node load.js ADDRESS JSON. Reads `pace SECONDS`,
// `saturate SECONDS` and `stop` from its input and answers each with a line of JSON, as bench/web/load.py does.
"use strict";

const readline = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { game } = require("./game");

const TIMEOUT = 30000; // milliseconds
const address = process.argv[2];
const given = JSON.parse(process.argv[3]);
const load = { tables: [], delays: [], hurried: false, skipped: 0 };
const now = () => performance.now();
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
console.error = () => {}; // the client logs every late answer

async function post(path, body) {
  const answer = await fetch(address + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function openTable() {
  const { matchID } = await post("/games/like/create", { numPlayers: given.seats });
  const table = { id: matchID, clients: [], credentials: [], began: 0, waitedFor: 0 };
  for (let seat = 0; seat < given.seats; seat++) {
    const right = await post(`/games/like/${matchID}/join`, { playerID: String(seat), playerName: `Seat ${seat}` });
    table.credentials.push(right.playerCredentials);
  }
  return table;
}

function sit(table, seat) {
  const multiplayer = SocketIO({ server: address, socketOpts: { transports: ["websocket"], forceNew: true } });
  const options = { game, multiplayer, numPlayers: given.seats, matchID: table.id, debug: false };
  const client = Client({ ...options, playerID: String(seat), credentials: table.credentials[seat] });
  table.clients.push(client);
  client.subscribe(() => heard(table));
  client.start();
}

function reached(client) {
  const state = client.store.getState();
  return state === null ? -1 : state._stateID;
}

// A decision is confirmed when all seats have received the state after it.
function heard(table) {
  if (!table.began || !table.clients.every((client) => reached(client) >= table.waitedFor)) return;
  load.delays.push(now() - table.began);
  table.began = 0;
  if (load.hurried) setImmediate(() => load.hurried && decide(table)); // not inside the client's own callback
}

function decide(table) {
  const { ctx, _stateID } = table.clients[0].store.getState();
  table.began = now();
  table.waitedFor = _stateID + 1;
  table.clients[Number(ctx.currentPlayer)].moves.decide(Math.floor(Math.random() * 6));
}

async function open() {
  const start = now();
  for (let count = 0; count < given.tables; count++) load.tables.push(await openTable());
  for (const table of given.idle ? [] : load.tables) {
    for (let seat = 0; seat < given.seats; seat++) sit(table, seat);
    while (!table.clients.every((client) => reached(client) >= 0)) await pause(1);
  }
  return { opened: load.tables.length, seconds: (now() - start) / 1000 };
}

async function paced(table, offset, ending) {
  for (let due = now() + offset; due < ending; due += 1000) {
    await pause(Math.max(0, due - now()));
    if (table.began) load.skipped += 1;
    else decide(table);
  }
  for (let waited = 0; table.began && waited < TIMEOUT; waited += 50) await pause(50);
}

async function pace(seconds) {
  load.delays = [];
  load.skipped = 0;
  const start = now();
  const ending = start + seconds * 1000;
  await Promise.all(load.tables.map((table, i) => paced(table, (i / load.tables.length) * 1000, ending)));
  return { ...summary(now() - start), skipped: load.skipped, lost: load.tables.filter((table) => table.began).length };
}

async function saturate(seconds) {
  load.delays = [];
  load.hurried = true;
  const start = now();
  load.tables.forEach(decide);
  await pause(seconds * 1000);
  load.hurried = false;
  return summary(now() - start);
}

function summary(took) {
  const delays = [...load.delays].sort((a, b) => a - b);
  const at = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
  return {
    decisions: delays.length,
    seconds: took / 1000,
    per_second: (delays.length * 1000) / took,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    worst: delays[delays.length - 1],
    within: delays.filter((delay) => delay <= 100).length / delays.length,
    problems: [],
  };
}

async function obey() {
  process.stdout.write(JSON.stringify(await open()) + "\n");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [word, seconds] = line.trim().split(" ");
    if (word === "stop") break;
    const answer = word === "pace" ? await pace(Number(seconds)) : await saturate(Number(seconds));
    process.stdout.write(JSON.stringify(answer) + "\n"); // at once: the server's processor time is read now
    if (word === "saturate") await pause(1000); // until the last decisions are confirmed
  }
  process.exit(0);
}

obey().catch((error) => {
  process.stdout.write(JSON.stringify({ problems: [String(error)] }) + "\n");
  process.exit(1);
});
