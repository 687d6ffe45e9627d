import { FaultList } from '../faults.js';
import { compileShape } from '../shape/compile-shape.js';
import { listsIn } from './raw-lists.js';
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
    faults.throwIfAny();
    return configuration;
  };
}
