/**
 * A client that reads an answer more slowly than it is written. That is no error of this service; the message says what
 * was too slow.
 */
export class SlowClient extends Error {
  override readonly name = 'SlowClient'
}
