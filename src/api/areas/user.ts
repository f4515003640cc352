/** Who acts through the server: the person who holds its token, and never an agent. */
export const USER = 'user'
