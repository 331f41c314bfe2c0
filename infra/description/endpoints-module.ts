import { ENDPOINTS } from '../endpoints.ts'

/** What functions and the auth lab know of all endpoints: plain data, so that none of them loads another function. */
export function endpointsModule(): string {
  const routes = Object.entries(ENDPOINTS).map(([name, { route }]) => [name, route] as const)
  const samples = Object.entries(ENDPOINTS).flatMap(([name, { about }]) =>
    about.sample ? [[name, about.sample] as const] : [],
  )
  return `// Written by \`npm run docs\` from functions/.
import type { Route, SampleRequest } from '../route.ts'

/** Every route by the name of its function, in the order of serverless.yml. */
export const ROUTES = ${table(routes)} as const satisfies Record<string, Route>

export type EndpointName = keyof typeof ROUTES

/** The samples of endpoints that need more than a path. */
export const SAMPLE_REQUESTS: Readonly<Partial<Record<EndpointName, SampleRequest>>> = ${table(samples)}
`
}

function table(rows: readonly (readonly [name: string, value: object])[]): string {
  return `{\n${rows.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`).join('')}}`
}
