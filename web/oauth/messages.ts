import type { CheckName, StepName } from '../../lib/contract/login-steps.ts'

/** The lanes between which a message goes: browser and Gatehouse, Gatehouse and provider, browser and provider. */
type Lanes = 'bg' | 'gp' | 'bp'

export interface LaneMessage {
  /** In the address of the page. */
  readonly name: string
  readonly lanes: Lanes
  /** Whether it is an answer, from right to left. */
  readonly isBack?: true
  readonly title: string
  readonly text: string
  /** On the arrow. @param path of the recorded request, or the one that Google's demo provider has */
  readonly label: (path: string) => string
  /** The step that holds its request or answer; none for what only the browser sees. */
  readonly step?: StepName
  /** Made when it arrives. */
  readonly checks?: readonly CheckName[]
}

const DIRECTIONS: Readonly<Record<Lanes, readonly [forth: string, back: string]>> = {
  bg: ['Browser to Gatehouse', 'Gatehouse to browser'],
  gp: ['Gatehouse to provider, not seen by the browser', 'Provider to Gatehouse, not seen by the browser'],
  bp: ['Browser to provider', 'Provider to browser'],
}

export function directionOf({ lanes, isBack }: LaneMessage): string {
  return DIRECTIONS[lanes][isBack ? 1 : 0]
}

/** The messages of a login in order. Not every login has those of keys, user and addresses. */
export const MESSAGES: readonly LaneMessage[] = [
  {
    name: 'start',
    lanes: 'bg',
    title: 'The login begins',
    text: 'The user chose a provider. Gatehouse makes up a state, a nonce and a code verifier for this login.',
    label: () => 'GET /oauth2/authorization',
  },
  {
    name: 'departure',
    lanes: 'bg',
    isBack: true,
    title: 'Gatehouse sends the browser to the provider',
    text: 'A sealed cookie keeps state, nonce and verifier in this browser for ten minutes. Gatehouse itself keeps nothing.',
    label: () => '302, sealed cookie: state, nonce, verifier',
    step: 'authorization',
  },
  {
    name: 'authorization',
    lanes: 'bp',
    title: 'The browser asks the provider',
    text: 'The provider learns the challenge, which is the SHA-256 of the verifier. It asks the user to log in.',
    label: (path) => `GET ${path} with state and code_challenge`,
    step: 'authorization',
  },
  {
    name: 'answer',
    lanes: 'bp',
    isBack: true,
    title: 'The provider sends the browser back',
    text: 'The address holds a code that works once. Anyone can send a browser to such an address.',
    label: () => '302 with code and state',
    step: 'callback',
  },
  {
    name: 'callback',
    lanes: 'bg',
    title: 'Back at Gatehouse',
    text: 'Gatehouse checks that this browser began this login with this provider.',
    label: (path) => `GET ${path}`,
    step: 'callback',
    checks: ['transaction', 'state', 'registration', 'iss', 'answer'],
  },
  {
    name: 'redemption',
    lanes: 'gp',
    title: 'Gatehouse redeems the code',
    text: 'Gatehouse sends the code with its client secret and the code verifier. The provider checks all three.',
    label: (path) => `POST ${path} with code, verifier`,
    step: 'token',
    checks: ['code', 'pkce'],
  },
  {
    name: 'tokens',
    lanes: 'gp',
    isBack: true,
    title: 'The provider answers with tokens',
    text: 'The claims of the ID token are checked in this order, before its signature.',
    label: () => 'tokens',
    step: 'token',
    checks: ['algorithm', 'expiry', 'issuer', 'audience', 'nonce'],
  },
  {
    name: 'keys-request',
    lanes: 'gp',
    title: 'Gatehouse asks for the keys',
    text: 'Keys are kept for some minutes, so not every login asks for them.',
    label: (path) => `GET ${path}`,
    step: 'keys',
  },
  {
    name: 'keys',
    lanes: 'gp',
    isBack: true,
    title: 'The provider answers with its keys',
    text: 'One of them must have signed the ID token.',
    label: () => 'public keys',
    step: 'keys',
    checks: ['signature'],
  },
  {
    name: 'user-request',
    lanes: 'gp',
    title: 'Gatehouse asks who the user is',
    text: 'The access token opens the profile of its user.',
    label: (path) => `GET ${path} with the access token`,
    step: 'user',
  },
  {
    name: 'user',
    lanes: 'gp',
    isBack: true,
    title: 'The provider answers with the user',
    text: 'Gatehouse forgets the access token now.',
    label: () => 'profile of the user',
    step: 'user',
    checks: ['subject', 'role'],
  },
  {
    name: 'emails-request',
    lanes: 'gp',
    title: 'Gatehouse asks for the addresses',
    text: 'The address in a profile need not be verified. The list of addresses says which one is.',
    label: (path) => `GET ${path}`,
    step: 'emails',
  },
  {
    name: 'emails',
    lanes: 'gp',
    isBack: true,
    title: 'The provider answers with the addresses',
    text: 'Gatehouse takes the primary one if it is verified.',
    label: () => 'addresses',
    step: 'emails',
  },
  {
    name: 'session',
    lanes: 'bg',
    isBack: true,
    title: 'Gatehouse begins a session',
    text: 'The browser gets a new session cookie, and goes where the user wanted to go.',
    label: () => '302, session cookie',
  },
]
