/**
 * Gives each function of serverless.yml the role that `grants.ts` has for it: the engine itself would give all functions
 * one and the same.
 */
export default class Roles {
  /** @param {import('./roles.ts').Engine} engine */
  constructor(engine) {
    this.hooks = {
      initialize: async () => {
        const { addRoles } = await import('./roles.ts')
        addRoles(engine)
      },
    }
  }
}
