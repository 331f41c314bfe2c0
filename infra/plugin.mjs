/**
 * What the deployment engine cannot say of single functions in serverless.yml: a role of its own for each, of the
 * settings only those that its code names, an eye on the logs of those that read secrets, and a line on the dashboard. And what it does not look at
 * around a deployment: wrong parameters, missing secrets, tables without protection.
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
 * The part of the deployment engine that holds serverless.yml against its schema, all variables resolved; its error for what
 * is no fault of the engine; and what it was asked to do.
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
 * The schema would say of a wrong parameter only what becomes of it.
 * @param {Checking & import('./parameters.ts').ParametersEngine} engine
 */
function checkParametersFirst(engine) {
  const schema = engine.configSchemaHandler
  const check = schema.validateConfig.bind(schema)
  schema.validateConfig = async (configuration) => {
    const { wrongParameters } = await import('./parameters.ts')
    const wrong = wrongParameters(engine)
    if (wrong.length > 0) throw new engine.classes.Error(['Wrong parameters:', ...wrong].join('\n  '))
    await check(configuration)
  }
}
