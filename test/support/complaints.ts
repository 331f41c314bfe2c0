import type { BrowserContext } from 'playwright-core'

/** A page was left, or a script is wanted where none may run; a violation of the policy is logged besides. */
const HARMLESS = ['net::ERR_ABORTED', 'csp']

/**
 * Collects what a visitor's browser complains of: whatever it logs as a warning or an error (a violation of the
 * Content-Security-Policy among it), exceptions, answers of 400 and above, and requests to anybody but `origins`.
 */
export function complaintsOf(context: BrowserContext, ...origins: readonly string[]): readonly string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  context.on('weberror', (thrown) => complaints.push(`thrown: ${thrown.error()}`))
  context.on('request', (request) => {
    const { origin, protocol, href } = new URL(request.url())
    if (protocol !== 'data:' && !origins.includes(origin)) complaints.push(`elsewhere: ${href}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (!HARMLESS.includes(reason)) complaints.push(`${reason}: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`)
  })
  return complaints
}
