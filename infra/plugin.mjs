/**
 * Adds what serverless.yml cannot express per function: a role of its own, only the settings that its code names, a
 * metric filter on its log if it reads secrets, and a line on the dashboard. Also covers what the deployment engine
 * ignores: wrong parameters, a wrong gatehouse.config.ts and missing secrets before a deployment, unprotected tables after it.
 */
export default class Functions {
  /**
   * @param {import('./iam/roles.ts').RolesEngine & import('./environment.ts').EnvironmentEngine & import('./secret-filters.ts').SecretFiltersEngine
   *   & import('./dashboard.ts').DashboardEngine & import('./parameters.ts').ParametersEngine & import('./secrets-present.ts').SecretsPresentEngine & import('./protection.ts').ProtectionEngine
   *   & Checking} engine
   */
  constructor(engine) {
    const narrow = async () => {
      const { narrowEnvironments } = await import('./environment.ts')
      narrowEnvironments(engine)
    }
    checkParametersFirst(engine)
    this.hooks = {
      initialize: async () => {
        const { addRoles } = await import('./iam/roles.ts')
        const { addSecretFilters } = await import('./secret-filters.ts')
        const { fillDashboard } = await import('./dashboard.ts')
        addRoles(engine)
        addSecretFilters(engine)
        fillDashboard(engine)
        if (engine.processedInput.commands.join(' ') === 'deploy') await checkSecrets(engine)
      },
      'before:package:compileFunctions': narrow,
      'before:deploy:function:deploy': narrow,
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

/** @param {Checking & import('./secrets-present.ts').SecretsPresentEngine} engine */
async function checkSecrets(engine) {
  const { missingSecrets } = await import('./secrets-present.ts')
  const missing = await missingSecrets(engine)
  if (missing.length > 0) throw new engine.classes.Error(missing.join('\n'))
}

/**
 * Checks the parameters before the schema, which would report only the consequences of a wrong parameter.
 * @param {Checking & import('./parameters.ts').ParametersEngine} engine
 */
function checkParametersFirst(engine) {
  const schema = engine.configSchemaHandler
  const check = schema.validateConfig.bind(schema)
  schema.validateConfig = async (configuration) => {
    const { sourcesOrExit } = await import('./team-config.ts')
    await sourcesOrExit()
    const { wrongParameters } = await import('./parameters.ts')
    const wrong = wrongParameters(engine)
    if (wrong.length > 0) throw new engine.classes.Error(['Wrong parameters:', ...wrong].join('\n  '))
    await check(configuration)
  }
}
