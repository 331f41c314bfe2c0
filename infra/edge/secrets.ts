import { env } from 'node:process'
import { loadConfig } from '../../lib/runtime/config.ts'
import { originSettings } from '../../lib/runtime/settings/edge.ts'
import type { StageValues } from '../stages.ts'

/** Where the shell of a deployment has the secrets of the edge; no file has them. */
const VARIABLE = 'GATEHOUSE_EDGE_SECRETS'

/** The parameter of the template, whose value AWS does not show. */
const PARAMETER = 'EdgeSecrets'

/** Those of the edge, as texts separated by a comma; empty without an edge. */
export function edgeSecretsGiven({ edgeEnabled }: StageValues): string {
  return edgeEnabled === 'true' ? (env[VARIABLE] ?? '') : ''
}

/** @returns why the stage cannot be packaged, and so not deployed; empty if it can */
export function wrongEdgeSecrets(parameters: StageValues): readonly string[] {
  if (parameters['edgeEnabled'] !== 'true') return []
  const EDGE_SECRETS = edgeSecretsGiven(parameters)
  const remedy = 'docs/deploy.md, step 7'
  if (!EDGE_SECRETS)
    return [`edgeEnabled: set ${VARIABLE} in this shell to what proves that a call came by it: ${remedy}`]
  try {
    loadConfig(originSettings, [], { EDGE_SECRETS })
    return []
  } catch (error) {
    return [String(error instanceof Error ? error.message : error).replace(/^.*EDGE_SECRETS/s, VARIABLE)]
  }
}

/** What CloudFormation is given beside the template. */
export function stackParameters(parameters: StageValues) {
  const ParameterValue = edgeSecretsGiven(parameters)
  return ParameterValue ? [{ ParameterKey: PARAMETER, ParameterValue }] : []
}
