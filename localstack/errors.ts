/** A start that cannot continue. The message gives the full reason, so no stack is needed. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
