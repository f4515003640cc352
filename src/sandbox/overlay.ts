import { findProgram } from './process/program.ts'
import { isInside } from './files/inside.ts'
import { type Launch, SCRATCH_BYTES } from './launch.ts'
import type { View } from './view.ts'

/** Places to keep a layer in while the sandbox is built; the first that nothing in the view comes from is used. */
const scratchPlaces = ['/dev/shm', '/mnt', '/media', '/srv']

/**
 * Lays a throw-away layer over the workspace and starts the launch above it.
 * The layer exists only in the mount namespace of the command, so it is gone with its last process, however that ends.
 */
export function overlayLaunch(view: View, launch: Launch): Launch {
  const scratch = scratchPlace(view)
  const unshare = findProgram('unshare') ?? 'unshare'
  const layer = [
    `cd -P "$1" && mount -t tmpfs -o size=${SCRATCH_BYTES} tmpfs "$2" && mkdir "$2/upper" "$2/work"`,
    // The lower folder is named by `.`: a colon or a comma in its path would be read as syntax.
    'mount -t overlay -o "userxattr,lowerdir=.,upperdir=$2/upper,workdir=$2/work" overlay "$1"',
    'cd /',
  ].join(' && ')
  const script = `{ ${layer}; } || { echo "sandbox: the throw-away layer could not be made" >&2; exit 125; }; shift 2; exec "$@"`
  const namespaces = ['--user', '--map-root-user', '--mount', '--propagation', 'private']
  return {
    ...launch,
    argv: [unshare, ...namespaces, '--', 'sh', '-c', script, 'sh', view.root, scratch, ...launch.argv],
  }
}

/** Where a layer or a new root can be built without covering anything the view needs. */
export function scratchPlace(view: View): string {
  const used = view.mounts.filter(({ as }) => as !== 'empty').map(({ path, from }) => from ?? path)
  return scratchPlaces.find((place) => !used.some((path) => isInside(place, path))) ?? '/mnt'
}
