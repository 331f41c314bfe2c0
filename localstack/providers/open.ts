import { openCallLog } from '../lab/call.ts'
import { clientOf, type Run } from './client.ts'
import { isOpenFault, type OpenFault, openReport } from './faults.ts'
import { googleServer, type Serve } from './google.ts'
import { keptKeys } from './keys.ts'
import { jsonResponse, send } from './pages.ts'
import { watchClients } from './watch.ts'

/** The metadata may come before the path of the issuer, too (RFC 8414 section 3.1). */
const FAULT = /^(\/\.well-known\/[a-z-]+)?\/lab\/([a-z-]+)(\/.*)?$/
const REPORT = /^\/lab\/report\/([\w.-]{0,64})$/

/**
 * An OpenID provider for Gatehouse and for the user's own clients, with the reports.
 * @param origin the issuer without a fault; those with one are below it, at `/lab/<fault>`
 */
export function openProvider(origin: string, run: Omit<Run, 'ports'>): Serve {
  const own = clientOf('google', run)
  const { clients } = run
  const keys = keptKeys(run.keys)
  const log = openCallLog<OpenFault>()
  const issuers = new Map<OpenFault, Serve>()

  function issuerOf(fault: OpenFault): Serve {
    const known = issuers.get(fault)
    if (known) return known
    const about = fault === 'no-fault' ? { issuer: origin, own } : { issuer: `${origin}/lab/${fault}`, fault }
    const serve = googleServer({ ...about, keys, clients, watch: (provider) => watchClients(provider, fault, log) })
    issuers.set(fault, serve)
    return serve
  }

  function reports(name: string, method: string | undefined): object {
    if (method === 'DELETE') log.forget(name)
    return name === '' ? log.clients : openReport(name, log)
  }

  return async (request, response) => {
    const { method, url = '' } = request
    const [, name] = REPORT.exec(url) ?? []
    if (name !== undefined) return send(jsonResponse(reports(name, method)), response)
    const [, known = '/', fault = '', below = known] = FAULT.exec(url) ?? []
    if (!isOpenFault(fault)) return issuerOf('no-fault')(request, response)
    Object.assign(request, { originalUrl: `/lab/${fault}${below}`, url: below })
    return issuerOf(fault)(request, response)
  }
}
