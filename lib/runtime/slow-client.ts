/** A client that takes what it asked for more slowly than it comes. No error of ours; the message says what was too slow. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient'
}
