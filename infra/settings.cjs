/** For serverless.yml, since the engine loads no ES module: settings.ts. */
module.exports = {
  /** @param {{ resolveVariable(name: string): Promise<string> }} engine */
  async service({ resolveVariable }) {
    const { serviceName } = await import('./team-config.ts')
    return serviceName(await resolveVariable('sls:stage'))
  },
  async tables() {
    const { tables } = await import('./settings.ts')
    return tables()
  },
  async functions() {
    const { functionEnvironment } = await import('./settings.ts')
    return { NODE_OPTIONS: '--enable-source-maps', ...functionEnvironment() }
  },
  async container() {
    const { containerEnvironment } = await import('./settings.ts')
    return containerEnvironment()
  },
}
