import type { RouteContract } from '@mailsweep/contracts';
import type { RequestHandler } from 'express';
import { createProblem } from '../../http/create-problem.ts';
import { callerOf, isToken } from '../authenticate.ts';

/**
 * Makes the guard that refuses tokens whose user confirms what they change, on routes that would change it without: those
 * of the scopes `act` and `admin` whose contract says nothing else.
 */
export const requireConfirmation =
  ({ access, confirmation }: RouteContract): RequestHandler =>
  (_request, response, next) => {
    const isChanging = access !== 'read' && confirmation === undefined;
    const caller = callerOf(response);
    if (isChanging && isToken(caller) && caller.requiresConfirmation) {
      throw createProblem(
        'confirmation_required',
        'Changes with this token need the user’s confirmation: plan a cleanup and run it, and the user confirms it.',
      );
    }
    next();
  };
