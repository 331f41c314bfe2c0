/** Lambda's refusal of an invocation, before any function is called (Lambda API reference, "Invoke"). */
export class InvokeRefusal extends Error {
  override readonly name = 'InvokeRefusal'
  readonly status: 400 | 404 | 413 | 429
  /** As `TooManyRequestsException`. */
  readonly type: string

  constructor(status: InvokeRefusal['status'], type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}
