import type { TriedOperation } from '../../lib/contract/reference.ts'
import { type Call, JSON_HEADERS } from '../call.ts'
import { type Identity, identityHeaders } from './identity.ts'

/** What one typed for a call: its parameters by name, and its body. */
export interface Inputs {
  readonly parameters: ReadonlyMap<string, string>
  readonly body: string
}

/** The call of an operation. A parameter of the query that is empty is left out. */
export function tryCall(operation: TriedOperation, inputs: Inputs, identity: Identity, csrfToken: string): Call {
  const { method, path, parameters, type } = operation
  const { headers, withSession } = identityHeaders(identity, method, csrfToken)
  const given = (name: string) => inputs.parameters.get(name) ?? ''
  const named = parameters.filter((one) => one.in === 'query' && given(one.name) !== '')
  const query = new URLSearchParams(named.map(({ name }) => [name, given(name)])).toString()
  const hasBody = type !== undefined && inputs.body !== ''
  return {
    method,
    path: `${path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given(name)))}${query === '' ? '' : `?${query}`}`,
    headers: { ...JSON_HEADERS, ...(hasBody && { 'content-type': type }), ...headers },
    ...(hasBody && { body: inputs.body }),
    withSession,
  }
}
