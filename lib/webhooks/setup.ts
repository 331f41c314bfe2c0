import type { Buffer } from 'node:buffer'
import { fail } from '../errors.ts'
import { type Clock, toLocalDateTime } from '../runtime/time.ts'
import { scannerOf } from './schemes/scan.ts'
import { type Headers, isUnsigned, type SignatureScheme } from './schemes/scheme.ts'
import type { Catalog } from './sources/catalog.ts'

/** Where the first call of a sender has the token that it hands to the owner of the address: a header, or a member. */
export type TokenPlace = { readonly header: string } | { readonly member: string }

/** Where a sender has it whose source is configured: as Asana does, or as Notion and others do. */
export const USUAL_PLACES: readonly TokenPlace[] = [
  { header: 'x-hook-secret' },
  { member: 'verification_token' },
  { member: 'token' },
  { member: 'challenge' },
]

/** What a sender handed over, and where it came from. */
interface Handed {
  readonly token: string
  readonly at: Date
  /** The address of the caller. */
  readonly from: string
}

/** A set-up under way; `conflict` after a second token. The handed token is a secret: for no log and no list. */
export interface Setup extends Partial<Handed> {
  readonly state: 'open' | 'received' | 'conflict'
  readonly until: Date
}

/** One set-up of each source. All throw ServiceError `UNAVAILABLE`. */
export interface SetupStore {
  /** Undefined without one; one that is over may still be there. */
  read(source: string): Promise<Setup | undefined>
  /** Keeps what was handed over, if it is open now, or if this token is kept already: whether it is kept. */
  keep(source: string, handed: Handed): Promise<boolean>
  /** Ends it without a token, if it has one now. */
  end(source: string, now: Date): Promise<void>
}

export interface SetupOpener {
  /** Opens it anew, whatever came before. @throws ServiceError `UNAVAILABLE` */
  open(source: string, until: Date): Promise<void>
}

export interface SetupParts {
  readonly setups: Pick<SetupStore, 'read'> & SetupOpener
  readonly catalog: Pick<Catalog, 'names' | 'providerOf'>
  readonly clock: Clock
}

const HOUR = 3_600_000

/**
 * For an hour, the first unsigned call of a source may hand a token over.
 * @throws ServiceError `SETUP_NOT_FOUND`
 */
export async function openSetup({ setups, clock, catalog }: SetupParts, source = '') {
  demandSetup(source, catalog)
  const until = new Date(clock.now().getTime() + HOUR)
  await setups.open(source, until)
  return { until: toLocalDateTime(until) }
}

/** What came of it, while it lasts. @throws ServiceError `SETUP_NOT_FOUND` */
export async function shownSetup({ setups, clock, catalog }: SetupParts, source = '') {
  demandSetup(source, catalog)
  const found = await setups.read(source)
  const { state, token, at, from } = found && clock.now() < found.until ? found : { state: 'closed' as const }
  return { state, token: token ?? null, at: at ? toLocalDateTime(at) : null, from: from ?? null }
}

function demandSetup(source: string, { names, providerOf }: SetupParts['catalog']): void {
  if (!names.includes(source) || !providerOf(source).setup) throw fail('SETUP_NOT_FOUND')
}

interface UnsignedCall {
  readonly source: string
  readonly headers: Headers
  /** Undefined for a body beyond {@link TOKEN_BODY_BYTES}. */
  readonly body: Buffer | undefined
  readonly from: string
}

/** More than any token and its JSON take. */
export const TOKEN_BODY_BYTES = 4096

/** A token with its place, to be given back there. */
export interface FoundToken {
  readonly place: TokenPlace
  readonly token: string
}

/** The token of an unsigned call; undefined for any other call. */
export function tokenOf(
  { scheme, setup = [] }: { readonly scheme: SignatureScheme; readonly setup?: readonly TokenPlace[] },
  { headers, body }: Pick<UnsignedCall, 'headers' | 'body'>,
): FoundToken | undefined {
  if (!isUnsigned(scheme, headers)) return undefined
  const members = setup.flatMap((place) => ('member' in place ? [place.member] : []))
  const found = body ? scannerOf(members.map((member) => [member]))(body) : []
  return setup
    .map((place) => {
      const token = 'header' in place ? headers[place.header] : found[members.indexOf(place.member)]
      return { place, token: token ?? '' }
    })
    .find(({ token }) => /^[\x21-\x7e]{8,1024}$/.test(token))
}

/** Whether a token is taken now. A second one ends the set-up: one of the two is a stranger's. */
export async function isTaken(
  { setups, clock }: { readonly setups: SetupStore; readonly clock: Clock },
  source: string,
  { token }: FoundToken,
  from: string,
): Promise<boolean> {
  const at = clock.now()
  const setup = await setups.read(source)
  if (!setup || at >= setup.until || setup.state === 'conflict') return false
  if (await setups.keep(source, { token, at, from })) return true
  await setups.end(source, at)
  return false
}
