import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { plainRequest } from '../../../lib/contract/route.ts'
import type { Callers } from './callers.ts'
import { access } from './events/access.ts'
import type { JobCases, RequestCase, RequestCases } from './events/case.ts'
import { jobs } from './events/jobs.ts'
import { loginAndLogout } from './events/login.ts'
import { operation } from './events/operation.ts'
import { pages } from './events/pages.ts'
import { get } from './events/requests.ts'
import { webhooks } from './events/webhooks.ts'

/** Events as AWS makes them, for every function. */
export function realEvents(callers: Callers): { readonly requests: RequestCases; readonly jobs: JobCases } {
  const requests = [access, loginAndLogout, pages, operation, webhooks].map((cases) => cases(callers))
  return { requests: Object.assign(plainCases(callers), ...requests), jobs: jobs(callers) }
}

/** What any endpoint is asked that a path alone reaches; those of the folder events come in its place. */
function plainCases({ bearer }: Callers): Record<string, readonly [RequestCase]> {
  return Object.fromEntries(
    Object.entries<Route>(ROUTES).flatMap(([name, route]) => {
      const sample = plainRequest(route)
      if (!sample) return []
      const request = async () => get(route.path, await bearer('ROLE_ADMIN'))
      return [[name, [{ what: 'its path, by an admin', request, answer: { status: sample.granted } }]]]
    }),
  )
}
