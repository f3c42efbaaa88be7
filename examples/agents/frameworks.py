"""Where two frameworks let a program have a person asked. Neither function raises, and without an opinion both say yes."""

import asyncio
import os

from action_risk import ActionRisk

risk = ActionRisk(os.environ.get("ACTION_RISK_URL", "http://127.0.0.1:3000"), os.environ["ACTION_RISK_KEY"])


def when(request):
    """LangChain: `when` of HumanInTheLoopMiddleware."""
    call = request.tool_call
    return risk.ask({"action_type": call["name"], "environment": "production"}, call["id"]).asks_person


async def needs_approval(context, arguments, call_id):
    """OpenAI Agents: `needs_approval` of the function tool that refunds."""
    action = {"action_type": "stripe.refunds.create", "environment": "production"}
    return (await asyncio.to_thread(risk.ask, action, call_id)).asks_person
