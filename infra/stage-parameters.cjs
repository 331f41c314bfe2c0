/**
 * For serverless.yml, since the engine loads no ES module: infra/stages.ts.
 * @param {{ resolveVariable(name: string): Promise<string> }} engine
 */
module.exports = async ({ resolveVariable }) => {
  const { stageParameters } = await import('./stages.ts')
  return stageParameters(await resolveVariable('sls:stage'), [], await resolveVariable('self:service'))
}
