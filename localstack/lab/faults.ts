interface Fault {
  /** What the service does to a client below the address of the fault. */
  readonly happens: string
  /** What a client must do to pass. */
  readonly good: string
  /** Where that is written. */
  readonly why: string
}

/** The faults, by the name in their address. */
export const FAULTS = {
  'expires-soon': {
    happens: 'A token of this login lives two to three seconds.',
    good: 'A good client logs in again, repeats the call once, and sends no expired token twice.',
    why: 'RFC 6750 section 3.1',
  },
  'clock-skew': {
    happens: 'The clock of the service is five minutes behind. By that clock its tokens live four minutes.',
    good: 'A good client uses a token until the service refuses it, and does not compare `exp` with its own clock.',
    why: 'RFC 6749 section 5.1',
  },
  'rotated-key': {
    happens: 'The key of the first token is no longer in use: the service answers `INVALID_SIGNATURE`.',
    good: 'A good client logs in again, repeats the call once, and does not send the refused token again.',
    why: 'RFC 6750 section 3.1',
  },
  revoked: {
    happens: 'The first token is revoked: the service answers `REVOKED`.',
    good: 'A good client does not send the revoked token again. It may log in again or stop.',
    why: 'RFC 6750 section 3.1',
  },
  'session-ends': {
    happens: 'The first session has ended when it is used: the service answers as if there were no login.',
    good: 'A good client logs in again, and does not send the ended session again.',
    why: 'RFC 9110 section 15.5.2',
  },
  'too-many': {
    happens: 'For two seconds calls get 429 with `Retry-After`. Logins pass.',
    good: 'A good client waits as long as `Retry-After` says, then repeats the call.',
    why: 'RFC 9110 section 10.2.3',
  },
  unavailable: {
    happens: 'For two seconds calls get 503 with `Retry-After`. Logins pass.',
    good: 'A good client waits as long as `Retry-After` says, then repeats the call.',
    why: 'RFC 9110 section 10.2.3',
  },
  'wrong-challenge': {
    happens: 'No credentials count. `WWW-Authenticate` of the 401 names the scheme `DPoP`.',
    good: 'A good client sends no credentials after this challenge, and makes at most two more calls.',
    why: 'RFC 9110 section 11.4',
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS

export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]

export function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}
