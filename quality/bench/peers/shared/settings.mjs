/** What the endpoint answers, in each framework's own way. */
export const greeting = ({ sub, role }) => ({
  message: 'Hello, Admin! (secured endpoint)',
  user: sub,
  authorities: [{ authority: role }],
  authType: 'JWT',
})

export const refusal = (status, message) => ({
  timestamp: new Date().toISOString(),
  status,
  error: status === 401 ? 'Unauthorized' : 'Forbidden',
  message,
  path: '/api/admin/secure',
})
