import { Route, Switch, useSearchParams } from 'wouter'
import { Catalogue } from './catalogue.tsx'
import { Editor } from './editor.tsx'
import { RunPage } from './run-page.tsx'
import { WorkflowPage } from './workflow-page.tsx'

/** Everything about workflows: the catalogue, one of them, a run of it, and the author's file. */
export default function WorkflowsScreen() {
  return (
    <Switch>
      <Route path="/workflows/show/:id">{({ id }) => <WorkflowPage key={id} id={id} />}</Route>
      <Route path="/workflows/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
      <Route path="/workflows/edit">
        <EditFile />
      </Route>
      <Route path="/workflows/new">
        <Catalogue making />
      </Route>
      <Route path="/workflows/:id">{({ id }) => <WorkflowPage key={id} id={id} />}</Route>
      <Route path="/workflows">
        <Catalogue making={false} />
      </Route>
    </Switch>
  )
}

/** The name comes after the question mark: an address that ends like a file is asked of the server as a file. */
function EditFile() {
  const [search] = useSearchParams()
  const name = search.get('file') ?? ''
  return <Editor key={name} name={name} />
}
