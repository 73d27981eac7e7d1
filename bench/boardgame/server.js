// boardgame.io's server with matches in memory: node server.js. Prints its address in one line.
"use strict";

const { Server } = require("boardgame.io/server");
const { game } = require("./game");

const quiet = console.info;
console.info = console.log = () => {};
const server = Server({ games: [game], origins: [/.*/] });
server.run({ port: 0 }).then(({ appServer }) => quiet(`boardgame.io http://127.0.0.1:${appServer.address().port}`));
