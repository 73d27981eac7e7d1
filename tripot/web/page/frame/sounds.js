// Three sounds, made here: it is your turn, somebody says something, the game is over. Off unless the person wants them.

import { settings } from "../settings.js";

/** @typedef {{at: number, pitch: number, length: number}} Note seconds and hertz */

/** @type {Record<"turn" | "said" | "over", Note[]>} */
const TUNES = {
  turn: [{ at: 0, pitch: 587, length: 0.18 }, { at: 0.12, pitch: 880, length: 0.35 }],
  said: [{ at: 0, pitch: 392, length: 0.12 }],
  over: [{ at: 0, pitch: 392, length: 0.3 }, { at: 0.16, pitch: 494, length: 0.3 }, { at: 0.32, pitch: 587, length: 0.3 }, { at: 0.48, pitch: 784, length: 0.8 }],
};

/** @type {AudioContext | null} */
let audio = null;

/** @param {keyof typeof TUNES} tune */
export function play(tune) {
  if (!settings.sounds || !("AudioContext" in globalThis)) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const note of TUNES[tune]) strike(audio, note);
}

/** A struck bell: a sine with its octave, loud at once and then fading. @param {AudioContext} audio @param {Note} note */
function strike(audio, { at, pitch, length }) {
  const start = audio.currentTime + at;
  for (const [part, loud] of [[1, 0.16], [2, 0.05]]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch * part;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(loud, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length + 0.05);
  }
}
