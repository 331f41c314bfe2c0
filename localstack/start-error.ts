/** A start that cannot go on, for a reason that its message tells in full; no stack is of help. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
