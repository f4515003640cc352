/** Every address of the API, shared with the browser at run time. What goes in and out of each stands in `contract.ts`. */
// oxfmt-ignore
export const routes = {
  listRoles:       'GET /api/roles',
  explainRole:     'GET /api/roles/:id/explain',
  listTools:       'GET /api/tools',
  status:          'GET /api/status',
  listNeeds:       'GET /api/needs',
  listBoards:       'GET /api/boards',
  createBoard:      'POST /api/boards',
  getBoard:         'GET /api/boards/:id',
  listCards:        'GET /api/boards/:id/cards',
  getGraph:         'GET /api/boards/:id/graph',
  getSprint:        'GET /api/boards/:id/sprint',
  getReport:        'GET /api/boards/:id/report',
  addRetrospective: 'POST /api/boards/:id/retrospective',
  listRecords:      'GET /api/boards/:id/records',
  listActivity:     'GET /api/boards/:id/activity',
  listAlarms:       'GET /api/boards/:id/alarms',
  configureBoard:   'PATCH /api/boards/:id/config',
  syncBoard:        'POST /api/boards/:id/sync',
  signalBoard:      'POST /api/boards/:id/signal',
  startTeam:        'POST /api/boards/:id/team',
  stopTeam:         'DELETE /api/boards/:id/team',
  freeAgent:        'POST /api/boards/:id/agents/:agent/free',
  settleDiscovery:  'POST /api/boards/:id/discoveries/:discovery',
  addNote:          'POST /api/boards/:id/notes',
} as const satisfies Record<string, `${Method} /api/${string}`>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type RouteName = keyof typeof routes

/** The names between the slashes that start with a colon: `/api/jobs/:id` → `id`. */
type ParamNames<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

export type PathParams<Name extends RouteName> = Record<ParamNames<(typeof routes)[Name]>, string>
