import { FaultList, shortText, ValidationFailed, type Fault } from '../faults.js';
import { compileShape } from '../shape/compile-shape.js';
import { KINDS, LIST_OF, listsIn, memberOf, type RawLists } from './kinds.js';
import { checkReferences } from './references.js';
import { checkRules } from './rules.js';
import { menuConfigurationRequest, type EntityLimits, type MenuConfiguration } from './shapes.js';

/** Checks a whole configuration: shape, rules between fields and references, every fault in one answer. */
export function compileConfigurationCheck(limits: EntityLimits): (body: unknown) => MenuConfiguration {
  const checkShape = compileShape(menuConfigurationRequest(limits));
  return (body) => {
    const faults = new FaultList();
    const configuration = checkShape(body, ['body'], faults);
    const lists = listsIn(body, limits);
    checkRules(lists, faults);
    checkReferences(lists, faults);
    if (faults.total > 0) throw new ValidationFailed(faults.toArray().map((fault) => named(fault, lists)));
    return configuration;
  };
}

/** Says the external_id of the entity that a fault lies in: its index alone says little to a person. */
function named(fault: Fault, lists: RawLists): Fault {
  const [, list, index] = fault.loc;
  const kind = KINDS.find((one) => LIST_OF[one] === list);
  if (kind === undefined || typeof index !== 'number') return fault;
  const externalId = memberOf(lists[kind]?.[index], 'external_id');
  if (typeof externalId !== 'string') return fault;
  return { ...fault, ctx: { ...fault.ctx, external_id: shortText(externalId) } };
}
