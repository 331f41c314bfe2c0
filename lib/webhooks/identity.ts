/** What an event is called by the one who sends it. */
export interface Identity {
  /** As the sender gave it; without one the bytes themselves identify the event. */
  readonly eventId?: string | undefined
  /** False where the provider does not sign the id: the body's hash backs it then. */
  readonly isIdSigned?: false | undefined
  readonly eventType: string
}
