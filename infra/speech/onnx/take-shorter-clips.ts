import { aNode, integers } from './make.ts'
import type { OnnxModel, OnnxNode } from './model.ts'
import { constantOf } from './rewrite.ts'

/**
 * An encoder adds a table of positions to what it hears, one row a frame, and so takes clips of one length alone. Here it
 * adds as many of the first rows as the clip has frames.
 */
export function takeShorterClips(model: OnnxModel, frames: number): OnnxModel {
  const { graph } = model
  const isTable = (name: string): boolean => {
    const dims = constantOf(graph, name)?.dims
    return dims?.length === 2 && dims[0] === frames
  }
  const adding = graph.nodes.find(({ op, inputs }) => op === 'Add' && inputs.some(isTable))
  if (!adding) throw new RangeError(`this encoder has no table of ${frames} positions`)
  const nodes = graph.nodes.flatMap((node) => (node === adding ? addingFirstRows(adding, isTable) : [node]))
  const initializers = [...graph.initializers, ...[0, 1, 2].map((value) => integers(numberNamed(value), [value]))]
  return { ...model, graph: { ...graph, nodes, initializers } }
}

function addingFirstRows(adding: OnnxNode, isTable: (name: string) => boolean): OnnxNode[] {
  const heard = adding.inputs.find((name) => !isTable(name))!
  const table = adding.inputs.find(isTable)!
  const [first, framesAxis, afterIt] = [0, 1, 2].map(numberNamed) as [string, string, string]
  return [
    aNode('Shape', [heard], 'vaak.clip.shape'),
    aNode('Slice', ['vaak.clip.shape', framesAxis, afterIt, first], 'vaak.clip.frames'),
    aNode('Slice', [table, first, 'vaak.clip.frames', first], 'vaak.clip.positions'),
    { ...adding, inputs: [heard, 'vaak.clip.positions'] },
  ]
}

const numberNamed = (value: number): string => `vaak.clip.${value}`
