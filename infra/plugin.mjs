/**
 * Adds what serverless.yml cannot express:
 * - what the destinations of gatehouse.config.ts need, the roles and the saved queries, each in a nested stack;
 * - the role with which the HTTP API calls functions;
 * - for each folder of functions a log group;
 * - for each function a role of its own, only the settings that its code names, and a line on the dashboard.
 *
 * Also checks what the deployment engine ignores:
 * - before a deployment: a stage without a file, wrong parameters, a wrong gatehouse.config.ts, missing secrets, and
 *   anything that the deployment would take from the stage;
 * - after it: unprotected tables.
 */
export default class Functions {
  /**
   * @param {import('./deliver/derive.ts').DeriveEngine & import('./iam/role.ts').RolesEngine & import('./environment.ts').EnvironmentEngine
   *   & import('./deliver/dashboard.ts').DashboardEngine & import('./deployed.ts').RemovalsEngine & import('./iam/network.ts').NetworkEngine & import('./logs.ts').LogsEngine & import('./deployed.ts').SecretsPresentEngine & import('./deployed.ts').ProtectionEngine
   *   & import('./deliver/nesting.ts').NestingEngine & Checking} engine
   * @param {object} _options
   * @param {{ readonly log: { notice(text: string): void } }} tools
   */
  constructor(engine, _options, { log }) {
    const narrow = async () => {
      const { narrowEnvironments } = await import('./environment.ts')
      const { joinNetwork } = await import('./iam/network.ts')
      const parameters = await givenTo(engine)
      narrowEnvironments(engine)
      joinNetwork(engine, parameters)
    }
    checkParametersFirst(engine, log)
    // After this, only the functions that read the variables have them.
    let stage = ''
    this.hooks = {
      initialize: async () => {
        const { stageDestinations } = await import('./deliver/stage.ts')
        stage = stageOf(engine)
        const destinations = await stageDestinations(stage)
        const isLocal = stage === 'local'
        // The rest loads every endpoint. A run on this machine has neither roles nor a dashboard.
        if (isLocal && destinations.length === 0) return
        const { addDestinations } = await import('./deliver/derive.ts')
        const { configuredTeam } = await import('./team-config.ts')
        const { sources } = await configuredTeam(stage)
        addDestinations(engine, destinations, sources)
        if (isLocal) return
        const { grantsOf, rightsOf } = await import('./iam/grants.ts')
        const { shareLogs } = await import('./logs.ts')
        const { addRoles } = await import('./iam/role.ts')
        const { fillDashboard } = await import('./deliver/dashboard.ts')
        const { describeStage, missingSecrets, refusedRemovals } = await import('./deployed.ts')
        const grants = grantsOf(destinations)
        shareLogs(engine)
        addRoles(engine, grants, rightsOf(destinations))
        fillDashboard(engine)
        const parameters = await givenTo(engine)
        const description = describeStage(parameters, destinations)
        Object.assign(engine.service.resources, { Metadata: { Gatehouse: description } })
        if (engine.processedInput.commands.join(' ') !== 'deploy') return
        refuse(engine, await refusedRemovals(engine, description, parameters['allowRemoval']))
        refuse(engine, await missingSecrets(engine, destinations))
      },
      'before:package:compileFunctions': narrow,
      'before:deploy:function:deploy': narrow,
      'after:aws:package:finalize:stripNullPropsFromTemplateResources': async () => {
        const { withGatewayRole } = await import('./iam/gateway-role.ts')
        const { nestStacks } = await import('./deliver/nesting.ts')
        const { withQueries } = await import('./queries.ts')
        const { provider } = engine.service
        const template = withGatewayRole(provider.compiledCloudFormationTemplate)
        provider.compiledCloudFormationTemplate = withQueries(template, stage)
        await nestStacks(engine)
      },
      'after:aws:deploy:deploy:uploadArtifacts': async () => {
        const { uploadNested } = await import('./deliver/nesting.ts')
        await uploadNested(engine)
      },
      'after:deploy:deploy': async () => {
        const { protectTables } = await import('./deployed.ts')
        await protectTables(engine)
      },
    }
  }
}

/**
 * The part of the deployment engine that validates serverless.yml against its schema, with all variables resolved; its
 * class for errors that are not the engine's fault; and the commands and parameters that it was given.
 * @typedef {object} Checking
 * @property {{ validateConfig(configuration: object): Promise<void> }} configSchemaHandler
 * @property {{ readonly Error: new (message: string) => Error }} classes
 * @property {{ readonly commands: readonly string[], readonly options?: { readonly param?: readonly string[] } }} processedInput
 */

/** @param {import('./environment.ts').EnvironmentEngine} engine */
function stageOf({ service }) {
  return String(service.provider.environment['STAGE'])
}

/** @param {Checking} engine */
function overridesOf({ processedInput }) {
  return processedInput.options?.param ?? []
}

/** @param {Checking & import('./environment.ts').EnvironmentEngine} engine */
async function givenTo(engine) {
  const { stageParameters } = await import('./stages.ts')
  return stageParameters(stageOf(engine), overridesOf(engine))
}

/**
 * @param {Checking} engine
 * @param {readonly string[]} reasons none if the deployment may continue
 */
function refuse(engine, reasons) {
  if (reasons.length > 0) throw new engine.classes.Error(reasons.join('\n'))
}

/**
 * Checks stage and parameters before the schema, which would report only the consequences of a wrong parameter.
 * @param {Checking & import('./environment.ts').EnvironmentEngine} engine
 * @param {{ notice(text: string): void }} log
 */
function checkParametersFirst(engine, log) {
  const schema = engine.configSchemaHandler
  const check = schema.validateConfig.bind(schema)
  schema.validateConfig = async (configuration) => {
    const stage = stageOf(engine)
    const { wrongOverrides, wrongStage } = await import('./stages.ts')
    refuse(engine, wrongStage(stage))
    const { teamOrExit } = await import('./team-config.ts')
    await teamOrExit(stage)
    const overrides = overridesOf(engine)
    const { wrongParameters } = await import('./parameters.ts')
    const wrong = [...wrongOverrides(overrides), ...wrongParameters(stage, await givenTo(engine))]
    if (wrong.length > 0) refuse(engine, ['Wrong parameters:', ...wrong.map((line) => `  ${line}`)])
    for (const override of overrides) log.notice(`for this run alone, not for the stage: ${override}`)
    await check(configuration)
  }
}
