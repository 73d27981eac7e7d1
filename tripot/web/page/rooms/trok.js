export { room } from "./plain.js";
