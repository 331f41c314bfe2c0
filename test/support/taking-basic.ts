import { ROUTES, SAMPLE_REQUESTS } from '../../lib/contract/gen/endpoints.ts'
import { plainRequest, type Route, type SampleRequest } from '../../lib/contract/route.ts'

/** The profiles that take HTTP Basic, with each store whose passwords count there. */
export const TAKING_BASIC = [
  ['default', 'jdbc'],
  ['default', 'ldap'],
  ['jdbc', 'jdbc'],
  ['ldap', 'ldap'],
] as const
type Profile = (typeof TAKING_BASIC)[number][0]
type Store = (typeof TAKING_BASIC)[number][1]

/** A call without a body, of something that does not exist where it names anything. */
export interface BasicCall {
  readonly method: string
  readonly address: string
}

/** A call of each endpoint that takes passwords of a store in a profile, whatever else it takes. @param base its address */
export function callsTakingBasic(profile: Profile, store: Store, base: string): readonly BasicCall[] {
  const samples: Readonly<Record<string, SampleRequest | undefined>> = SAMPLE_REQUESTS
  return Object.entries<Route>(ROUTES)
    .filter(([, route]) => takesBasic(profile, store, route))
    .map(([name, route]) => {
      const { parameters = {}, query = '' } = samples[name] ?? plainRequest(route) ?? {}
      const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => parameters[key] ?? 'unknown')
      return { method: route.method, address: `${base}${path}${query}` }
    })
}

/** The stores whose passwords count where not every kind of credentials does. */
const STORES: Readonly<Record<string, readonly Store[]>> = { database: ['jdbc'], directory: ['ldap'], session: [] }

function takesBasic(profile: Profile, store: Store, { access, credentials = 'any', profile: own }: Route): boolean {
  if (access === 'public' || access === 'signature') return false
  const isThere = profile === 'default' || own === undefined || own === profile
  return isThere && (STORES[credentials] ?? [store]).includes(store)
}
