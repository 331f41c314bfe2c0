import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { inWork } from './project.ts'

/**
 * Adds what serverless.yml cannot express:
 * - what the destinations of gatehouse.config.ts need, the roles and the saved queries, each in a nested stack;
 * - the role with which the HTTP API calls functions;
 * - for each folder of functions a log group;
 * - for each function a role of its own, only the settings that its code names, and a line on the dashboard;
 * - what the file of the stage sets on all resources of a kind, and how calls move to new versions.
 *
 * Also checks what the deployment engine ignores:
 * - before a deployment: a stage without a file, wrong parameters, a wrong gatehouse.config.ts, missing secrets, and
 *   anything that the deployment would take from the stage;
 * - after it: unprotected tables;
 * - before a rollback: a stage that is changing, and a former package that is not there or has other tables.
 */
export default class Functions {
  /**
   * @param {import('./deliver/derive.ts').DeriveEngine & import('./iam/role.ts').RolesEngine & import('./environment.ts').EnvironmentEngine
   *   & import('./deliver/dashboard.ts').DashboardEngine & import('./deployed.ts').RemovalsEngine & import('./iam/network.ts').NetworkEngine & import('./team-resources.ts').TeamEngine & import('./logs.ts').LogsEngine & import('./deployed.ts').SecretsPresentEngine & import('./deployed.ts').ProtectionEngine
   *   & import('./deliver/nesting.ts').NestingEngine & import('./rollback.ts').RollbackEngine & Checking & Working} engine
   * @param {{ timestamp?: string }} options
   * @param {{ readonly log: { notice(text: string): void } }} tools
   */
  constructor(engine, options, { log }) {
    const narrow = async () => {
      const { narrowEnvironments } = await import('./environment.ts')
      const { joinNetwork } = await import('./iam/network.ts')
      const parameters = await givenTo(engine)
      narrowEnvironments(engine)
      joinNetwork(engine, parameters)
    }
    const remember = async () => (await import('./rollback.ts')).rememberPackage(engine)
    checkParametersFirst(engine, log)
    workInProject(engine)
    // After this, only the functions that read the variables have them.
    let stage = ''
    /** @type {import('./stages.ts').StageValues} */
    let parameters = {}
    this.hooks = {
      initialize: async () => {
        const { stageDestinations } = await import('./deliver/stage.ts')
        stage = stageOf(engine)
        const destinations = await stageDestinations(stage)
        const isLocal = stage === 'local'
        const { addTeamResources } = await import('./team-resources.ts')
        await addTeamResources(engine)
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
        parameters = await givenTo(engine)
        const { isBasicForOperators } = await import('../lib/runtime/settings/edge.ts')
        const grants = grantsOf(destinations, isBasicForOperators(parameters))
        shareLogs(engine)
        addRoles(engine, grants, rightsOf(destinations))
        fillDashboard(engine)
        const description = describeStage(parameters, destinations)
        Object.assign(engine.service.resources, { Metadata: { Gatehouse: description } })
        const command = engine.processedInput.commands.join(' ')
        const { wrongEdgeSecrets } = await import('./edge/secrets.ts')
        if (['deploy', 'package'].includes(command)) refuse(engine, wrongEdgeSecrets(parameters))
        if (command !== 'deploy') return
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
        const { withWide } = await import('./stage-wide.ts')
        const template = withGatewayRole(provider.compiledCloudFormationTemplate)
        const whole = withQueries(template, `${engine.service.service}-${stage}`)
        provider.compiledCloudFormationTemplate = withWide(whole, parameters)
        await shiftCalls(engine, parameters)
        await nestStacks(engine)
        // The nested stacks are resources, too.
        const parent = withWide(provider.compiledCloudFormationTemplate, parameters)
        provider.compiledCloudFormationTemplate = { ...parent, Description: `Gatehouse ${manifest.version}` }
      },
      'after:aws:deploy:deploy:uploadArtifacts': async () => {
        const { uploadNested } = await import('./deliver/nesting.ts')
        await uploadNested(engine)
      },
      // Not earlier: what is packaged has no secret, and the first stack no parameter.
      'before:aws:deploy:deploy:updateStack': async () => {
        const { stackParameters } = await import('./edge/secrets.ts')
        Object.assign(engine.service.provider, { stackParameters: stackParameters(parameters) })
      },
      'after:aws:deploy:deploy:updateStack': remember,
      'after:deploy:deploy': async () => {
        const { protectTables } = await import('./deployed.ts')
        await protectTables(engine)
      },
      'before:rollback:rollback': async () => {
        const { formerPackage } = await import('./rollback.ts')
        const former = await formerPackage(engine)
        if ('refused' in former) refuse(engine, [former.refused])
        else {
          options.timestamp = former.timestamp
          Object.assign(engine.service.provider, { stackParameters: former.parameters })
        }
      },
      'after:rollback:rollback': remember,
    }
  }
}

/**
 * @param {import('./deliver/nesting.ts').NestingEngine} engine
 * @param {import('./stages.ts').StageValues} parameters
 */
async function shiftCalls({ serviceDir, service: { provider } }, parameters) {
  if (!parameters['deployment']) return
  const { withShift } = await import('./shift.ts')
  const { withWide } = await import('./stage-wide.ts')
  /** @param {string} key of a package in the bucket */
  const digestOf = (key) => {
    const file = readFileSync(join(serviceDir, '.serverless', basename(key)))
    return createHash('sha256').update(file).digest('base64')
  }
  const { edgeSecretsGiven } = await import('./edge/secrets.ts')
  const secrets = edgeSecretsGiven(parameters)
  const template = provider.compiledCloudFormationTemplate
  const shifted = withShift(template, String(parameters['deployment']), digestOf, secrets)
  provider.compiledCloudFormationTemplate = withWide(shifted, parameters)
}

/**
 * Makes the deployment engine find bundles and write packages in the project, though serverless.yml is Gatehouse's.
 * @typedef {{ serviceDir: string, readonly pluginManager: { readonly plugins: readonly { packagePath?: string }[] } }} Working
 * @param {Working} engine
 */
function workInProject(engine) {
  const before = join(engine.serviceDir, '.serverless')
  engine.serviceDir = resolve(inWork('.'))
  for (const plugin of engine.pluginManager.plugins)
    if (plugin.packagePath === before) plugin.packagePath = join(engine.serviceDir, '.serverless')
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

/** @param {Checking & import('./environment.ts').EnvironmentEngine & { readonly service: import('./logs.ts').NamedService }} engine */
async function givenTo(engine) {
  const { stageParameters } = await import('./stages.ts')
  return stageParameters(stageOf(engine), overridesOf(engine), engine.service.service)
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
 * @param {Checking & import('./environment.ts').EnvironmentEngine & { readonly service: import('./logs.ts').NamedService }} engine
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
