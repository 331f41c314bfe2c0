/** The part of the deployment engine with the parameters of the stage, all of them resolved. */
export interface ParametersEngine {
  readonly service: { readonly custom: { readonly parameters: Parameters } }
}

type Parameters = Readonly<Record<string, unknown>>

const ADAPTER = [
  'adapterImage',
  'adapterCertificateArn',
  'adapterVpcId',
  'adapterPublicSubnetIds',
  'adapterPrivateSubnetIds',
]

/** @returns the errors in the parameters; empty if they can be deployed */
export function wrongParameters({ service }: ParametersEngine): readonly string[] {
  const { parameters } = service.custom
  return [...wrongMinutes(parameters), ...wrongSwitches(parameters), ...missingForAdapter(parameters)]
}

function wrongMinutes({ retryScanMinutes }: Parameters): readonly string[] {
  return /^[1-9]\d*$/.test(String(retryScanMinutes))
    ? []
    : ['retryScanMinutes: must be a whole number of minutes, 1 or more']
}

/** The template would treat any other word as `false`. */
function wrongSwitches(parameters: Parameters): readonly string[] {
  return ['edgeEnabled', 'adapterEnabled']
    .filter((name) => !['true', 'false'].includes(String(parameters[name])))
    .map((name) => `${name}: must be true or false`)
}

function missingForAdapter(parameters: Parameters): readonly string[] {
  if (String(parameters['adapterEnabled']) !== 'true') return []
  const missing = ADAPTER.filter((name) => textsIn(parameters[name]).length === 0)
  const alone = ['adapterPublicSubnetIds'].filter((name) => textsIn(parameters[name]).length === 1)
  return [
    ...missing.map((name) => `${name}: must be set with adapterEnabled=true`),
    ...alone.map((name) => `${name}: a load balancer needs two subnets at least`),
  ]
}

/** The items of a comma-separated list. */
function textsIn(list: unknown): readonly string[] {
  return String(list ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}
