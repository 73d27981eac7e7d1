// What a drawing needs to draw a table: the view, the texts, and the legal decision behind each thing that is drawn.

import { holes, say } from "../text/speech.js";

/**
 * @typedef {import("../wire/requests.js").Legal} Legal
 * @typedef {import("../wire/requests.js").View} View
 * @typedef {import("../wire/requests.js").Catalogue} Catalogue
 * @typedef {import("../text/speech.js").Lang} Lang
 *
 * @typedef {object} Subject
 * @property {View} view
 * @property {Catalogue} catalogue
 * @property {Lang} lang
 * @property {string[]} players names by seat
 * @property {number | null} me the seat that looks; null: nobody's
 * @property {Legal[]} [legal] what may be chosen now
 * @property {Legal[]} [picked] what has been chosen so far
 * @property {(legal: Legal) => void} [pick]
 * @property {(legal: Legal) => void} [drop] take it back
 * @property {() => void} [refuse] called when the player touches what cannot be chosen
 * @property {number[][]} [log] the news told so far
 * @property {import("../wire/requests.js").Outcome | null} [outcome] how a finished game went
 */

export class Scene {
  /** @param {Subject} subject */
  constructor(subject) {
    this.view = subject.view;
    this.catalogue = subject.catalogue;
    this.lang = subject.lang;
    this.players = subject.players;
    this.me = subject.me;
    this.legal = subject.legal ?? [];
    this.picked = subject.picked ?? [];
    this.log = subject.log ?? [];
    this.outcome = subject.outcome ?? null;
    this.pick = subject.pick ?? (() => {});
    this.drop = subject.drop ?? (() => {});
    this.refuse = subject.refuse ?? (() => {});
  }

  /** What the drawing needs of the game's rules. */
  get facts() {
    return this.catalogue.facts;
  }

  /** Every seat, starting with the one that looks. */
  get round() {
    const { seats } = this.view;
    return Array.from({ length: seats }, (_, i) => ((this.me ?? 0) + i) % seats);
  }

  /** @param {number} seat whether it owes a decision */
  waits(seat) {
    return Boolean((this.view.waiting >> seat) & 1);
  }

  /** @param {string} table @param {number} number a name in the language */
  name(table, number) {
    return this.catalogue.names[table]?.[number]?.[this.lang] ?? String(number);
  }

  /** @param {string} table @param {number} number a phrase of the game's other tables */
  more(table, number) {
    return this.catalogue.more[table]?.[number]?.[this.lang] ?? "";
  }

  /** @param {string} table @param {number} number @param {string} args @param {number[]} numbers such a phrase, with its numbers put in */
  filled(table, number, args, numbers) {
    const phrase = this.catalogue.more[table]?.[number] ?? { en: "", fr: "" };
    return say({ name: table, clause: "", args, ...phrase }, numbers, this.catalogue.names, this.players, this.lang);
  }

  /** @param {import("../text/speech.js").Words} words */
  words(words) {
    return words[this.lang];
  }

  /** @param {string} key @param {...(number | null)} numbers the decision of this key whose numbers fit; null fits any */
  offer(key, ...numbers) {
    return this.legal.find(
      (legal) => legal.key === key && numbers.every((number, i) => number === null || legal.numbers[i] === number),
    );
  }

  /** @param {string} key @param {...(number | null)} numbers the picked decision of this key whose numbers fit */
  taken(key, ...numbers) {
    return this.picked.find(
      (legal) => legal.key === key && numbers.every((number, i) => number === null || legal.numbers[i] === number),
    );
  }

  /** @param {Legal | undefined} legal whether it is among those picked */
  isPicked(legal) {
    return Boolean(legal) && this.picked.some((picked) => picked.action === legal?.action);
  }

  /** @param {number} action how often it has been picked */
  times(action) {
    return this.picked.filter((picked) => picked.action === action).length;
  }

  /** @param {Legal} legal the decision as a sentence */
  sentence(legal) {
    const sentence = this.catalogue.decisions[legal.key];
    return sentence ? say(sentence, legal.numbers, this.catalogue.names, this.players, this.lang) : legal.key;
  }

  /**
   * The sum of one number over all the news of a kind about a seat.
   * @param {string} kind @param {number} seat @param {string} number its name in the sentence
   */
  total(kind, seat, number) {
    return this.log.reduce((sum, item) => {
      const news = this.catalogue.news[item[1]];
      if (news?.name !== kind || item[2] !== seat) return sum;
      return sum + item[2 + holes(news.args).findIndex(([name]) => name === number)];
    }, 0);
  }

  /** @param {number[]} item a piece of news: its kind, and its numbers by their names in the sentence @returns {Record<string, any>} */
  read(item) {
    const news = this.catalogue.news[item[1]];
    return { kind: news?.name, ...Object.fromEntries(holes(news?.args ?? "").map(([name], i) => [name, item[2 + i]])) };
  }

  /** @param {import("../wire/requests.js").Said} said what the game's guide says */
  said({ key, numbers }) {
    const sentence = this.catalogue.guide[key];
    return sentence ? say(sentence, numbers, this.catalogue.names, this.players, this.lang) : "";
  }

  /** @param {string} key @returns {number[] | null} the numbers of a goal, where the guide names it */
  goal(key) {
    return this.view.guide?.goals.find((/** @type {{key: string}} */ said) => said.key === key)?.numbers ?? null;
  }

  /** @param {Legal} legal what a decision costs and does */
  hint(legal) {
    return (legal.hint ?? []).map((said) => this.said(said)).join(" · ");
  }

  /** @param {number[]} item a piece of news as a sentence */
  story(item) {
    const sentence = this.catalogue.news[item[1]];
    return sentence ? say(sentence, item.slice(2), this.catalogue.names, this.players, this.lang) : "";
  }
}

/**
 * @typedef {object} PieceDrawing how a set piece is drawn
 * @property {(scene: Scene, lines: import("./set_piece.js").Line[]) => unknown} draw from the table at that moment, and what has been told of it
 * @property {import("../text/speech.js").Words} title
 * @property {string} [clock] the field whose number stands behind the title
 * @property {string[]} [outcome] the kinds of news that say what came of it: the headline of the still
 * @property {boolean} [tellsAll] whether it draws the sentences too
 *
 * @typedef {object} PictureDrawing how a picture for learners is drawn
 * @property {(scene: Scene, lines: import("./set_piece.js").Line[]) => unknown} draw from a position, and what was told since
 * @property {number} [width] in rem, from which it is made to fit; without it, it takes the width there is
 *
 * @typedef {object} Drawing how one game draws its table
 * @property {string} css its stylesheet
 * @property {boolean} [gather] whether groups of cards are picked in any order
 * @property {string[]} [atOnce] decisions that need no confirming, beside those that stand alone
 * @property {(scene: Scene) => unknown} board
 * @property {(scene: Scene, seat: number) => unknown} seat what lies before a player
 * @property {(scene: Scene) => unknown} hand what the seat that looks holds
 * @property {(scene: Scene) => unknown} [aside] what may be looked up: beside the board, or below it on a small screen
 * @property {(scene: Scene) => number[]} [scores] the number that matters most, by seat
 * @property {() => Promise<{css: string, pieces: Record<string, PieceDrawing>}>} [reveals] loads its set pieces
 * @property {Record<string, PieceDrawing>} [pieces] these, by the names that the game gives them; without them they are told in words
 * @property {() => Promise<{css: string[], pictures: Record<string, PictureDrawing>, pieces?: Record<string, PieceDrawing>}>} [forLearners] loads pictures of parts of the table, by the names that the game's `teaching.py` gives them
 * @property {Record<string, PictureDrawing>} [pictures] these
 * @property {string[]} [pictureSheets] the stylesheets that they need besides `css`
 * @property {(scene: Scene) => unknown} [reckoning] the arithmetic of the result
 */
