/** For serverless.yml, since the engine loads no ES module: settings.ts. */
module.exports = {
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
