/**
 * What the deployment engine cannot say of single functions in serverless.yml: a role of its own for each, and of the
 * settings only those that its code names.
 */
export default class Functions {
  /** @param {import('./iam/roles.ts').Engine & import('./environment.ts').Engine} engine */
  constructor(engine) {
    const narrow = async () => {
      const { narrowEnvironments } = await import('./environment.ts')
      narrowEnvironments(engine)
    }
    this.hooks = {
      initialize: async () => {
        const { addRoles } = await import('./iam/roles.ts')
        addRoles(engine)
      },
      'before:package:compileFunctions': narrow,
      'before:deploy:function:deploy': narrow,
    }
  }
}
