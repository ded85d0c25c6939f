import { aNode, integers } from './make.ts'
import type { OnnxModel, Named, OnnxNode } from './model.ts'
import { integersAttribute, integersIn } from './attributes.ts'
import { readTensor, tensor } from './model.ts'

/**
 * Convolutions along one axis as convolutions over a plane that is one row high. It is the same arithmetic, but the runtime
 * has kernels for planes that read the audio once where it lies, instead of copying it once for each tap.
 */
export function planeConvolutions(model: OnnxModel): OnnxModel {
  const { graph } = model
  const weights = new Map(graph.initializers.map((initializer) => [initializer.name, initializer]))
  const planes = new Map<string, Named>()
  const nodes = graph.nodes.flatMap((node, at) => {
    const weight = weights.get(node.inputs[1] ?? '')
    if (node.op !== 'Conv' || !weight || integersIn(node, 'kernel_shape').length !== 1) return [node]
    planes.set(`${weight.name}/plane`, planes.get(`${weight.name}/plane`) ?? inPlane(weight))
    return planeNodes(node, `plane/${at}`)
  })
  const used = new Set(nodes.flatMap(({ inputs }) => inputs))
  const initializers = [...graph.initializers.filter(({ name }) => used.has(name)), ...planes.values(), rowAxis]
  return { ...model, graph: { ...graph, nodes, initializers } }
}

const rowAxis = integers('plane/axis', [2])

function inPlane(weight: Named): Named {
  const { dims, ...rest } = readTensor(weight)
  const [outputs = 0, inputs = 0, taps = 0] = dims
  return tensor({ ...rest, name: `${weight.name}/plane`, dims: [outputs, inputs, 1, taps] })
}

function planeNodes(node: OnnxNode, prefix: string): OnnxNode[] {
  const [input = '', weight = '', ...bias] = node.inputs
  const [left = 0, right = 0] = integersIn(node, 'pads')
  const along = (name: string): Named => integersAttribute(name, [1, integersIn(node, name)[0] ?? 1])
  const conv: OnnxNode = {
    ...node,
    inputs: [`${prefix}/in`, `${weight}/plane`, ...bias],
    outputs: [`${prefix}/out`],
    attributes: [
      ...node.attributes.filter(({ name }) => name === 'group'),
      along('kernel_shape'),
      along('dilations'),
      along('strides'),
      integersAttribute('pads', [0, left, 0, right]),
    ],
  }
  return [
    aNode('Unsqueeze', [input, rowAxis.name], `${prefix}/in`),
    conv,
    aNode('Squeeze', [`${prefix}/out`, rowAxis.name], node.outputs[0]!),
  ]
}
