/**
 * What the deployment engine cannot say of single functions in serverless.yml: a role of its own for each, of the
 * settings only those that its code names, and an eye on the logs of those that read secrets.
 */
export default class Functions {
  /** @param {import('./iam/roles.ts').Engine & import('./environment.ts').Engine & import('./secret-filters.ts').Engine} engine */
  constructor(engine) {
    const narrow = async () => {
      const { narrowEnvironments } = await import('./environment.ts')
      narrowEnvironments(engine)
    }
    this.hooks = {
      initialize: async () => {
        const { addRoles } = await import('./iam/roles.ts')
        const { addSecretFilters } = await import('./secret-filters.ts')
        addRoles(engine)
        addSecretFilters(engine)
      },
      'before:package:compileFunctions': narrow,
      'before:deploy:function:deploy': narrow,
    }
  }
}
