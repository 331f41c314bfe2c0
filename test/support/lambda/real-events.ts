import type { Callers } from './callers.ts'
import { access } from './events/access.ts'
import type { JobCases, RequestCases } from './events/case.ts'
import { jobs } from './events/jobs.ts'
import { loginAndLogout } from './events/login.ts'
import { operation } from './events/operation.ts'
import { pages } from './events/pages.ts'
import { webhooks } from './events/webhooks.ts'

/** Events as AWS makes them, for every function. */
export function realEvents(callers: Callers): { readonly requests: RequestCases; readonly jobs: JobCases } {
  const requests = [access, loginAndLogout, pages, operation, webhooks].map((cases) => cases(callers))
  return { requests: Object.assign({}, ...requests), jobs: jobs(callers) }
}
