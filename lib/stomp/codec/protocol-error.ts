export type Violation = 'malformed' | 'head-too-large' | 'body-too-large' | 'version'

/** Bytes or a frame that break the protocol. The message is a rule in plain words and quotes nothing that was sent. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly violation: Violation

  constructor(violation: Violation, message: string) {
    super(message)
    this.violation = violation
  }
}

export function malformed(message: string): ProtocolError {
  return new ProtocolError('malformed', message)
}
