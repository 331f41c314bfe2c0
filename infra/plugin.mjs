/**
 * Adds what serverless.yml cannot express: what the destinations of gatehouse.config.ts need, in a nested stack; the role
 * with which the HTTP API calls functions; and for each function a role of its own, only the settings that its code names,
 * and a line on the dashboard. Also covers what the deployment engine ignores: before a deployment, wrong parameters, a
 * wrong gatehouse.config.ts and missing secrets; after it, unprotected tables.
 */
export default class Functions {
  /**
   * @param {import('./deliver/derive.ts').DeriveEngine & import('./iam/roles.ts').RolesEngine & import('./environment.ts').EnvironmentEngine
   *   & import('./dashboard.ts').DashboardEngine & import('./parameters.ts').ParametersEngine & import('./secrets-present.ts').SecretsPresentEngine & import('./protection.ts').ProtectionEngine
   *   & import('./deliver/nesting.ts').NestingEngine & Checking} engine
   */
  constructor(engine) {
    const narrow = async () => {
      const { narrowEnvironments } = await import('./environment.ts')
      narrowEnvironments(engine)
    }
    checkParametersFirst(engine)
    this.hooks = {
      initialize: async () => {
        const { stageDestinations } = await import('./deliver/stage.ts')
        const { addDestinations } = await import('./deliver/derive.ts')
        const { grantsOf, rightsOf } = await import('./iam/grants.ts')
        const { addRoles } = await import('./iam/roles.ts')
        const { fillDashboard } = await import('./dashboard.ts')
        const destinations = await stageDestinations(stageOf(engine))
        const grants = grantsOf(destinations)
        addDestinations(engine, destinations)
        addRoles(engine, grants, rightsOf(destinations))
        fillDashboard(engine)
        if (engine.processedInput.commands.join(' ') === 'deploy') await checkSecrets(engine, destinations)
      },
      'before:package:compileFunctions': narrow,
      'before:deploy:function:deploy': narrow,
      'after:aws:package:finalize:stripNullPropsFromTemplateResources': async () => {
        const { withGatewayRole } = await import('./iam/gateway-role.ts')
        const { nestDestinations } = await import('./deliver/nesting.ts')
        const { provider } = engine.service
        provider.compiledCloudFormationTemplate = withGatewayRole(provider.compiledCloudFormationTemplate)
        await nestDestinations(engine)
      },
      'after:aws:deploy:deploy:uploadArtifacts': async () => {
        const { uploadNested } = await import('./deliver/nesting.ts')
        await uploadNested(engine)
      },
      'after:deploy:deploy': async () => {
        const { protectTables } = await import('./protection.ts')
        await protectTables(engine)
      },
    }
  }
}

/**
 * The part of the deployment engine that validates serverless.yml against its schema, with all variables resolved; its
 * class for errors that are not the engine's fault; and the commands that it was given.
 * @typedef {object} Checking
 * @property {{ validateConfig(configuration: object): Promise<void> }} configSchemaHandler
 * @property {{ readonly Error: new (message: string) => Error }} classes
 * @property {{ readonly commands: readonly string[] }} processedInput
 */

/** @param {import('./environment.ts').EnvironmentEngine} engine */
function stageOf({ service }) {
  return String(service.provider.environment['STAGE'])
}

/**
 * @param {Checking & import('./secrets-present.ts').SecretsPresentEngine} engine
 * @param {readonly import('../lib/deliver/destination.ts').Destination[]} destinations
 */
async function checkSecrets(engine, destinations) {
  const { missingSecrets } = await import('./secrets-present.ts')
  const missing = await missingSecrets(engine, destinations)
  if (missing.length > 0) throw new engine.classes.Error(missing.join('\n'))
}

/**
 * Checks the parameters before the schema, which would report only the consequences of a wrong parameter.
 * @param {Checking & import('./parameters.ts').ParametersEngine & import('./environment.ts').EnvironmentEngine} engine
 */
function checkParametersFirst(engine) {
  const schema = engine.configSchemaHandler
  const check = schema.validateConfig.bind(schema)
  schema.validateConfig = async (configuration) => {
    const { teamOrExit } = await import('./team-config.ts')
    await teamOrExit(stageOf(engine))
    const { wrongParameters } = await import('./parameters.ts')
    const wrong = wrongParameters(engine)
    if (wrong.length > 0) throw new engine.classes.Error(['Wrong parameters:', ...wrong].join('\n  '))
    await check(configuration)
  }
}
