"""Asks about one action, and says whether a person should be asked: python3 ask.py ACTION_TYPE ENVIRONMENT

The service and the key come from ACTION_RISK_URL and ACTION_RISK_KEY.
"""

import os
import sys

from action_risk import ActionRisk, NoOpinion

risk = ActionRisk(os.environ.get("ACTION_RISK_URL", "http://127.0.0.1:3000"), os.environ["ACTION_RISK_KEY"])
answer = risk.ask({"action_type": sys.argv[1], "environment": sys.argv[2]})
step = "ask a person" if answer.asks_person else "nobody needs to be asked"
why = f"{answer.code}: {answer.message}" if isinstance(answer, NoOpinion) else f"{answer.level} risk"
print(f"{step} ({why})")
